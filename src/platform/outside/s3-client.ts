/** Opens a client of an S3-compatible store. */

/** An S3-compatible store and the credentials for it. */
export type S3Access = Readonly<{
  endpoint: string | null
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Path-style URLs, which most S3-compatible stores need. */
  forcePathStyle: boolean
}>

/** @param timeoutMs of a request, up to its response's headers */
export async function openS3Client(access: S3Access, timeoutMs: number) {
  // Loading the SDK takes a fifth of the startup time.
  const { S3Client } = await import('@aws-sdk/client-s3')
  return new S3Client({
    region: access.region,
    ...(access.endpoint === null ? {} : { endpoint: access.endpoint }),
    credentials: { accessKeyId: access.accessKeyId, secretAccessKey: access.secretAccessKey },
    forcePathStyle: access.forcePathStyle,
    // The SDK's default checksums are unknown to many compatible stores.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: {
      // Each picture that is being sent to a slow reader holds one.
      httpAgent: { maxSockets: 500 },
      httpsAgent: { maxSockets: 500 },
      connectionTimeout: 3_000,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
    },
  })
}
