/** The documents: every clause that the code cites exists in docs/api.md, and every link between documents leads somewhere. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { it } from 'node:test'

const root = join(import.meta.dirname, '..')
const text = (path: string) => readFileSync(join(root, path), 'utf8')
const headings = (path: string) => [...text(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)

/** As GitHub makes them. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

it('cites clauses of docs/api.md that exist', () => {
  const clauses = new Set(headings('docs/api.md').map((heading) => heading.split(' ', 1)[0]))
  const files = globSync('{src,test,chaos,bench,scripts}/**/*.{ts,js}', { cwd: root })
  const wrong = files.flatMap((file) =>
    [...text(file).matchAll(/\bapi\.md ((?:\d+(?:\.\d+)?(?:, )?)+)/g)].flatMap(([, cited = '']) =>
      cited
        .split(', ')
        .filter((clause) => clause !== '' && !clauses.has(clause))
        .map((clause) => `${file}: ${clause}`),
    ),
  )
  assert.deepEqual(wrong, [])
})

it('links to files and headings that exist', () => {
  const documents = globSync(['*.md', '{docs,deploy}/**/*.md'], { cwd: root })
  assert.ok(documents.includes('README.md') && documents.includes('docs/api.md'))
  const wrong = documents.flatMap((document) =>
    [...text(document).matchAll(/\]\(([^):\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => {
        const [path = '', fragment] = target.split('#')
        const file = path === '' ? document : join(dirname(document), path)
        if (!existsSync(join(root, file))) return true
        return fragment !== undefined && !headings(file).map(anchor).includes(fragment)
      })
      .map((target) => `${document}: ${target}`),
  )
  assert.deepEqual(wrong, [])
})
