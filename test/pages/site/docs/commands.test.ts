/** The commands of the guides, run in order as a reader would, with the code of the listing that the first one created. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { exampleProperty } from '../../../../src/api/examples/examples.ts'
import { exampleService } from '../../../../src/http/openapi/document.ts'
import { guideNames } from '../../../../src/pages/site/docs/guides.ts'
import { type TestApp, testApp } from '../../../support/app/app.ts'

const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'curl is not installed'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

/** The command's output, parsed as JSON. */
async function run(command: string): Promise<{ error?: object; data?: { id?: string } }> {
  const env = { ...process.env, SVC_API_KEY: t.writeKey }
  const text = await new Promise<string>((resolve, reject) => {
    execFile('bash', ['-c', command], { env }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    )
  })
  return JSON.parse(text) as Awaited<ReturnType<typeof run>>
}

test('the commands of the guides work', { skip }, async () => {
  let { id } = exampleProperty
  let count = 0
  for (const name of guideNames) {
    const guide = readFileSync(new URL(`../../../../docs/guides/${name}.md`, import.meta.url), 'utf8')
    for (const [, command = ''] of guide.matchAll(/^```bash\n(curl[^]*?)^```$/gm)) {
      const sent = command.replaceAll(exampleService.baseUrl, t.baseUrl).replaceAll(exampleProperty.id, id)
      const response = await run(sent.replace('curl', 'curl -s'))
      assert.equal(response.error, undefined, `${name}: ${command}${JSON.stringify(response)}`)
      if (name === 'first-call') id = response.data?.id ?? id
      count += 1
    }
  }
  assert.ok(count >= 7, `${count} commands`)
})
