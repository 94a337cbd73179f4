/** Writes the clients of all generators: node generate.ts <openapi.json> <directory> <base URL of the API> */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { generate } from 'orval'

const [document = '', directory = '', baseUrl = ''] = process.argv.slice(2)

mkdirSync(join(directory, 'openapi-typescript'))
const types = await openapiTypescript(pathToFileURL(document))
writeFileSync(join(directory, 'openapi-typescript/schema.ts'), astToString(types))

await createClient({
  input: document,
  output: { path: join(directory, 'hey-api'), importFileExtension: '.ts' },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'silent', file: false },
})

for (const [client, name] of [
  ['fetch', 'client'],
  ['zod', 'zod'],
] as const) {
  const target = join(directory, `orval/${name}.ts`)
  await generate({ input: { target: document }, output: { target, client, baseUrl } })
}
