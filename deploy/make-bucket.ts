/**
 * `node deploy/make-bucket.ts`: creates the bucket of the settings, unless it exists. The service itself does not, because it needs only
 * the permissions to put, get and delete objects.
 */
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { configFromEnvironment } from '../src/platform/config/config.ts'

const { s3 } = configFromEnvironment()
if (s3 === null) throw new Error('S3_BUCKET is missing.')
const client = new S3Client({
  region: s3.region,
  ...(s3.endpoint === null ? {} : { endpoint: s3.endpoint }),
  credentials: { accessKeyId: s3.accessKeyId, secretAccessKey: s3.secretAccessKey },
  forcePathStyle: s3.forcePathStyle,
})
const bucket = { Bucket: s3.bucket }
const isThere = await client.send(new HeadBucketCommand(bucket)).then(
  () => true,
  (error: { name: string }) => {
    if (error.name !== 'NotFound' && error.name !== 'NoSuchBucket') throw error
    return false
  },
)
if (!isThere) await client.send(new CreateBucketCommand(bucket))
process.stderr.write(`The bucket ${s3.bucket} ${isThere ? 'exists' : 'was created'}.\n`)
