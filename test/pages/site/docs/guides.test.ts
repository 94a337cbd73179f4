/** Guides quote the real limits, signatures and examples, and their Markdown becomes safe HTML with the ids that links use. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { exampleService } from '../../../../src/http/openapi/document.ts'
import { defaultLimits } from '../../../../src/limits/table.ts'
import { withLinks } from '../../../../src/pages/site/docs/contract.ts'
import { guideNames, readGuides, withIncludes } from '../../../../src/pages/site/docs/guides.ts'
import { inlineMarkdown, markdown } from '../../../../src/pages/site/docs/markdown.ts'

const folder = new URL('../../../../docs/guides/', import.meta.url)
const text = (name: string) => readFileSync(new URL(`${name}.md`, folder), 'utf8')

describe('guides', () => {
  test('are all listed in the contents', () => {
    assert.deepEqual(readdirSync(folder).sort(), guideNames.map((name) => `${name}.md`).toSorted())
  })

  test('have a title, a summary and sections', () => {
    for (const { name, title, summary, headings } of readGuides(exampleService)) {
      assert.notEqual(title, name)
      assert.ok(summary.length > 60 && summary.length < 240, `${name}: ${summary}`)
      assert.ok(headings.filter(({ depth }) => depth === 2).length >= 3, name)
    }
  })

  test('include code from examples/, and a missing file is an error', () => {
    const path = 'examples/python/sign.py'
    const code = readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')
      .trimEnd()
      .replace('docs/api.md', '/docs/contract')
    assert.equal(
      withIncludes(`A\n\n<!-- include ${path} -->\n\nB`),
      `A\n\n\`\`\`\`python python/sign.py\n${code}\n\`\`\`\`\n\nB`,
    )
    assert.throws(() => withIncludes('<!-- include examples/python/none.py -->'), /ENOENT.*none\.py/)
    for (const line of ['<!-- include src/app.ts -->', ' <!-- include examples/README.md -->'])
      assert.equal(withIncludes(line), line)
    for (const { name, body } of readGuides(exampleService))
      assert.doesNotMatch(body.markup, /include examples/, name)
  })

  test('use the service’s own name and address', () => {
    const service = { serviceName: 'Acme', baseUrl: 'https://acme.test/listings' }
    for (const { name, body } of readGuides(service)) {
      assert.doesNotMatch(body.markup, /listings\.example|X-Svc|svc_(test|live|sign)_/, name)
      assert.doesNotMatch(body.markup, /href="https:/, name)
      assert.doesNotMatch(body.markup, /127\.0\.0\.1:3000|api\.md/, name)
    }
  })

  test('contain the signatures of the contract', () => {
    const contract = readFileSync(new URL('../api.md', folder), 'utf8')
    const signatures = text('signing').match(/`v1=[0-9a-f]{64}`/g) ?? []
    assert.equal(signatures.length, 2)
    for (const signature of signatures) assert.ok(contract.includes(signature), signature)
  })

  test('state the actual limits', () => {
    const rows = [...text('limits').matchAll(/^\| `(\w+)` \| ([\d,]+) \|/gm)]
    assert.equal(rows.length, 14)
    for (const [, name = '', max = ''] of rows)
      assert.equal(Number(max.replace(',', '')), defaultLimits[name as keyof typeof defaultLimits].max, name)
    const days = (count: number) => `${count.toLocaleString('en-US')} day${count === 1 ? '' : 's'}`
    const [listings, photos] = [defaultLimits.new_listings_per_day.max, defaultLimits.photos_per_day.max]
    for (const count of [100, 500, 2000, 5000]) {
      const row = [
        count.toLocaleString('en-US'),
        days(Math.ceil(count / listings)),
        days(Math.ceil((count * 10) / photos)),
      ]
      assert.ok(text('first-load').includes(`| ${row.join(' | ')} |`), row.join(' | '))
    }
    const told = `create ${defaultLimits.new_listings_per_hour.max} listings an hour and ${listings} a day`
    assert.ok(text('first-load').includes(told), told)
  })
})

describe('Markdown', () => {
  test('cannot contain raw HTML', () => {
    const { body } = markdown('# A <b>\n\n<script>alert(1)</script>\n\nOne <i>two</i> & `<u>`\n\n[x](y"z)')
    assert.doesNotMatch(body.markup, /<(script|b|i|u)>/)
    assert.match(body.markup, /&#60;script&#62;/)
    assert.equal(inlineMarkdown('a <b> `c`').markup.includes('<b>'), false)
  })

  test('combines consecutive code blocks in different languages', () => {
    const block = (language: string) => `\`\`\`${language}\n${language}\n\`\`\`\n\n`
    const groups = (source: string) =>
      [...markdown(source).body.markup.matchAll(/<div class="code">|<div data-language="(\w+)">|<pre/g)]
        .map(([all, language]) => language ?? (all === '<pre' ? '-' : '['))
        .join(' ')
    assert.equal(groups(block('ts') + block('php')), '[ ts - php -')
    assert.equal(groups(block('ts') + block('ts')), '- -')
    assert.equal(groups(`${block('ts') + block('php')}Text\n\n${block('php')}`), '[ ts - php - -')
  })

  test('gives headings the ids that links use, and tables a container that scrolls by keyboard', () => {
    const { body, headings } = markdown('## What `you` need\n\n| A | B |\n| --- | --- |\n| 1 | `2` |', {
      deeper: 1,
    })
    assert.deepEqual(headings, [{ depth: 3, id: 'what-you-need', text: 'What you need' }])
    assert.match(body.markup, /<h3 id="what-you-need">What <code>you<\/code> need<\/h3>/)
    assert.match(body.markup, /<div class="table" tabindex="0"><table>/)
  })

  test('lets long names wrap only in tables', () => {
    const { body } = markdown('`a_long_name`\n\n| `keyless_per_minute` |\n| --- |\n| `id` |')
    assert.match(body.markup, /<code>a_long_name<\/code>/)
    assert.match(body.markup, /<code>keyless_<wbr \/>per_<wbr \/>minute<\/code>/)
  })

  test('links the clauses that the contract cites', () => {
    const title = '### 7.3 With the same `key`'
    const cited = (text: string) => withLinks(`${title}\n\n${text}`).slice(title.length + 2)
    const link = '[7.3](#73-with-the-same-key)'
    assert.equal(cited('As in 7.3. Also (7.3), | 7.3 |'), `As in ${link}. Also (${link}), | ${link} |`)
    for (const text of ['HTTP/7.3', '`7.3`', '[7.3](#x)', '17.3', '7.31', '7.3.1', '7.4', '```\n7.3\n```'])
      assert.equal(cited(text), text)
  })
})
