/**
 * Committed English: comments, messages, test titles and documents avoid the phrases of one table, stay within 140 columns, and say more
 * than the name below them. A failure names the file, the line and a better wording.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** Folders whose texts still have to be rewritten. */
const notYet: readonly string[] = []

/** `starts`: looked for where a sentence of a comment or paragraph begins; otherwise anywhere, in messages too. */
type Phrase = { pattern: RegExp; starts?: boolean; write: string }

const phrases: readonly Phrase[] = [
  { starts: true, pattern: /^Of (?!course)/, write: 'name the subject: "Hints from the key\'s last charge"' },
  { starts: true, pattern: /^That of /, write: 'repeat the noun: "The replica\'s URL"' },
  {
    starts: true,
    pattern: /^Those (?:of|that|who|which|with|without|in|on|from|needed)\b/,
    write: 'name the noun',
  },
  {
    starts: true,
    pattern: /^What (?!if\b)[^?]*$/,
    write: 'a noun: "The stored response", not "What is stored"',
  },
  { starts: true, pattern: /^Whom? (?!is who)[^?]*$/, write: 'a noun: "The person who …", "Callers that …"' },
  { starts: true, pattern: /^Whether (?!or not)[^,]*[^?]$(?<=[a-z] is)/, write: 'a whole sentence' },
  { starts: true, pattern: /^(?:It|They) is to\b/, write: '"must" or "will"' },
  { pattern: /\bwhom?ever\b/i, write: '"anyone who", "the caller"' },
  {
    pattern: /\bwhatever (?:else|becomes|happens of)\b/i,
    write: '"other", "anything else that", "in any case"',
  },
  { pattern: /\btold\b/i, write: '"logged", "notified", "returned", "shown"' },
  { pattern: /\b(?:nobody|no one|somebody) tells\b/i, write: '"if … is unknown"' },
  { pattern: /\bof now\b/i, write: '"current"' },
  { pattern: /\bby which\b/i, write: '"that identifies", "with which", or two sentences' },
  { pattern: /\bso many\b/i, write: 'the number, or "up to N"' },
  {
    pattern: /\bso (?:often|long)(?= (?:at|as a|without|in)\b)/i,
    write: 'the number: "at most once a minute"',
  },
  { pattern: /\b(?:be|is|are|was|were) had\b/i, write: '"available", "fetched"' },
  {
    pattern: /\b(?:is|are|was|were|be|been|being) asked\b/i,
    write: '"requested", "queried", or an active verb',
  },
  { pattern: /\bfor all that\b/i, write: '"even so", or "for everything that"' },
  { pattern: /\bnone of it\b/i, write: '"nothing", or the noun' },
  { pattern: /\bas is\b(?! (?:common|usual))/i, write: '"unchanged"' },
  { pattern: /\bin the way of\b/i, write: '"blocks"' },
  { pattern: /\bone after the other\b/i, write: '"one at a time", "in order"' },
  { pattern: /\bwithout end\b/i, write: '"forever"' },
  { pattern: /\bfor ever\b/i, write: '"forever", "permanently"' },
  { pattern: /\bnot told\b/i, write: '"unknown"' },
  {
    pattern:
      /(?<!\b(?:there|here) )\b(?:is|are) no (?:text|number|key|token|error|part|picture|reason to|member|twin)\b/i,
    write: '"is not a …"',
  },
  { pattern: /\b(?:is|are) to (?:be|have|get|come|become|know)\b/i, write: '"must", "should", "will"' },
  { pattern: /\blately\b/i, write: '"recently"' },
  { pattern: /\b(?:written|writes?) down\b/i, write: '"recorded", "stored"' },
  { pattern: /\bany more(?=[.,;:)]|$)/i, write: '"no longer"' },
  { pattern: /\ball who\b/i, write: '"everyone who", "every caller that"' },
  { pattern: /\b(?:hears?|heard) of\b/i, write: '"learns about", "is notified of"' },
  { pattern: /\bmoments\b/i, write: '"timestamps", "times", "seconds"' },
  { pattern: /\bstands? (?:in|before|beside|between|below|above)\b/i, write: '"is", "appears"' },
  { pattern: /\bthe own\b/i, write: '"their own", "its own"' },
  { pattern: /\bbecomes? of\b/i, write: '"happens to"' },
  { pattern: /\bgo(?:es)? on (?:with|as|where|from|without|until)\b/i, write: '"continues"' },
  { pattern: /\bin hand\b/i, write: '"in progress"' },
  { pattern: /\b(?:not tried|tried as)\b/i, write: '"untested", "tested"' },
  { pattern: /\bbut for\b/i, write: '"except"' },
  { pattern: /\bseldom\b/i, write: '"rarely"' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, write: '"fix"' },
  { pattern: /\bgives? way\b/i, write: '"yields", "runs at a lower priority"' },
  { pattern: /\b(?:he|his|him)\b/i, write: '"they", "their"' },
  { pattern: /\bbeside requests\b/i, write: '"in the background"' },
  { pattern: /\bof somebody\b/i, write: '"a user\'s", "someone\'s"' },
  { pattern: /\b(?:have|has|had) room for it now\b/i, write: '"fits now"' },
  { pattern: /\bis (?:well|ill) with\b/i, write: '"is healthy"' },
]

/** Sentences that are right although a pattern matches them. */
const allowed: readonly { file: string; text: string; why: string }[] = [
  { file: 'test/scripts/test.test.ts', text: "throw new Error('told')", why: 'looked for in the output' },
  {
    file: 'test/http/connections/client-errors.test.ts',
    text: 'GET /api/v1/he alth',
    why: 'a malformed URL',
  },
]

type Text = { file: string; line: number; text: string; isProse: boolean }

const root = join(import.meta.dirname, '..')
const files = globSync(
  [
    '*.md',
    '{bench,docs,src,test}/**/*.md',
    '{src,test,chaos,bench,scripts}/**/*.{ts,js,css}',
    'chaos/models/*.pml',
    'migrations/functions/*.sql', // A numbered migration never changes: its checksum is stored.
    'examples/**/*.{ts,php,py,md}',
    'deploy/**/*.{md,yaml,ts,mjs,env,ini}',
    'clients/*/{src/**/*.ts,*.md}',
  ],
  { cwd: root },
)
  .filter(
    (file) =>
      !/node_modules|\/corpora\/.*\.ts$|^src\/platform\/db\/types\.ts$|\/openapi\.ts$|^docs\/(?:performance|soak)\.md$/.test(
        file,
      ),
  ) // generated
  .filter((file) => file !== 'test/prose.test.ts' && !notYet.some((start) => file.startsWith(start)))
  .sort()

/** @param withoutSamples blanks the blocks of code of a document */
function linesOf(file: string, withoutSamples = false): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const shown =
    withoutSamples && file.endsWith('.md')
      ? text.replaceAll(/^ *```[^]*?```/gm, (block) => block.replaceAll(/./g, ''))
      : text
  return shown.split('\n')
}
const withoutCode = (text: string) => text.replaceAll(/`[^`]*`|\]\([^)]*\)/g, '`…`')

/** Paragraphs, list items and table cells outside blocks of code. */
function textsOfDocument(file: string): Text[] {
  const found: Text[] = []
  let isCode = false
  let continues = false
  for (const [index, line] of linesOf(file).entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode
    const own = line.replace(/^[\s>]*(?:[-*] |\d+\. )?/, '')
    const isItem = /^\s*(?:[-*] |\d+\. )/.test(line)
    if (isCode || own === '' || /^\s*```/.test(line)) continues = false
    else if (/^(?:#|\|)/.test(own)) {
      continues = false
      for (const cell of own.split('|'))
        found.push({ file, line: index + 1, text: cell.trim(), isProse: false })
    } else if (continues && !isItem) {
      const last = found.at(-1)
      if (last !== undefined) last.text += ` ${own}`
    } else {
      found.push({ file, line: index + 1, text: own, isProse: true })
      continues = true
    }
  }
  return found
}

/** Comments, consecutive lines of one joined, and texts in quotes of at least three words. */
function textsOfProgram(file: string): Text[] {
  const found: Text[] = []
  const lineComment = /\.(?:ts|js|mjs|css|php)$/.test(file)
    ? /(?:^|\s)\/\/ (.*)$/
    : file.endsWith('.sql')
      ? /-- ?(.*)$/
      : /(?:^|\s)# (.*)$/
  let inBlock = false
  let continues = false
  for (const [index, line] of linesOf(file).entries()) {
    const starts = /^\s*\/\*/.test(line)
    const comment =
      inBlock || starts ? line.replace(/^\s*\/?\*+\/?\s?|\s*\*\/$/g, '') : lineComment.exec(line)?.[1]
    const isOwnLine = inBlock || starts || !/\S/.test(line.replace(lineComment, ''))
    if (comment !== undefined) {
      const last = found.at(-1)
      if (continues && isOwnLine && !starts && !comment.startsWith('@') && last !== undefined)
        last.text += ` ${comment}`
      else found.push({ file, line: index + 1, text: comment, isProse: true })
    }
    continues = comment !== undefined && isOwnLine && comment !== ''
    if (inBlock || starts) inBlock = !line.includes('*/')
    else
      for (const [, single, double, template] of line
        .replace(lineComment, '')
        .matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`([^`]*)`/g)) {
        const text = single ?? double ?? template ?? ''
        if (/\S \S+ \S/.test(text)) found.push({ file, line: index + 1, text, isProse: false })
      }
  }
  return found
}

const texts = files.flatMap((file) => (file.endsWith('.md') ? textsOfDocument(file) : textsOfProgram(file)))

test('committed English has no phrase that a native engineer would not write', () => {
  const wrong = texts.flatMap(({ file, line, text, isProse }) => {
    const plain = withoutCode(text)
    const sentences = plain
      .split(/(?<=[.!?:])\s+(?=[A-Z])/)
      .map((part) => part.replace(/^(?:\*\*|@param \w+ |@returns? )/, ''))
    return phrases
      .filter(({ pattern, starts }) =>
        starts === true
          ? isProse && sentences.some((sentence) => pattern.test(sentence))
          : pattern.test(plain),
      )
      .filter(() => !allowed.some((one) => one.file === file && text.includes(one.text)))
      .map(({ pattern, write }) => `${file}:${line} ${pattern} → ${write}\n    ${text}`)
  })
  assert.deepEqual(wrong, [])
})

test('committed English has no comment or paragraph over 140 columns', () => {
  const wrong = files.flatMap((file) =>
    linesOf(file, true).flatMap((line, index) =>
      line.length <= 140 ||
      !(file.endsWith('.md') ? /^(?!\s*\|)/ : /^\s*(?:\/?\*|\/\/|--|# )/).test(line) ||
      /https?:\S{60}/.test(line)
        ? []
        : [`${file}:${index + 1} (${line.length})`],
    ),
  )
  assert.deepEqual(wrong, [])
})

/** The words of a name or comment that carry meaning, without plural endings. */
const meaning = (text: string) =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(
      (word) =>
        word !== '' &&
        !['a', 'an', 'and', 'the', 'of', 'its', 'their', 'is', 'in', 'for', 'to', 'by'].includes(word),
    )
    .map((word) => word.replace(/s$/, ''))

test('committed English has no comment that only repeats a name', () => {
  const wrong = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      [
        ...linesOf(file)
          .join('\n')
          .matchAll(
            /\/\*\* ([^@\n]*) \*\/\n\s*(?:export )?(?:async )?(?:const |let |function |type |class )?(\w+)/g,
          ),
      ].flatMap(([, comment = '', name = '']) => {
        const words = new Set(meaning(name))
        return meaning(comment).every((word) => words.has(word)) ? [`${file}: ${name}: ${comment}`] : []
      }),
    )
  assert.deepEqual(wrong, [])
})
