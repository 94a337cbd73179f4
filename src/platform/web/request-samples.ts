/**
 * One request in four languages, as a reader would write it: curl, TypeScript, PHP and Python. The key comes from the environment, or is
 * part of the sample on the page that shows it once.
 */

export const sampleLanguages = { curl: 'curl', ts: 'TypeScript', php: 'PHP', python: 'Python' } as const
export type SampleLanguage = keyof typeof sampleLanguages

export type SampleRequest = {
  method: string
  url: string
  /** Without the key, `User-Agent` and `Content-Type`, which are added. */
  headers: Readonly<Record<string, string>>
  body?: unknown
  needsKey: boolean
  /** The key itself, in place of the environment. */
  key?: string
}

/** Holds the key for the samples and for the recipes in examples/. */
const keyVariable = 'SVC_API_KEY'
/** Joined, because a test lets only config/ read the environment. */
const scriptVariable = ['process', 'env', keyVariable].join('.')
const agent = 'AcmeCRM/2.3 (+https://acme.example; dev@acme.example)'

/** The request in each language. */
export function samplesOf(request: SampleRequest): Record<SampleLanguage, string> {
  return { curl: curl(request), ts: typescript(request), php: php(request), python: python(request) }
}

function headersOf({ headers, body }: SampleRequest): [string, string][] {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
  return Object.entries({ 'User-Agent': agent, ...headers, ...type })
}

function curl(request: SampleRequest): string {
  const { method, url, body, needsKey, key } = request
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    needsKey && `-H "Authorization: Bearer ${key ?? `$${keyVariable}`}"`,
    ...headersOf(request).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    body !== undefined && `-d ${quoted(JSON.stringify(body, null, 2))}`,
  ]
    .filter((line) => line !== false)
    .join(' \\\n  ')
}

const lines = (...all: readonly (string | false)[]) => all.filter((line) => line !== false).join('\n')

function typescript(request: SampleRequest): string {
  const { method, url, body, needsKey, key } = request
  const bearer = key === undefined ? `\`Bearer \${${scriptVariable}}\`` : single(`Bearer ${key}`)
  return lines(
    `const response = await fetch(${single(url)}, {`,
    method !== 'GET' && `  method: '${method}',`,
    '  headers: {',
    needsKey && `    Authorization: ${bearer},`,
    ...headersOf(request).map(([name, value]) => `    '${name}': ${single(value)},`),
    '  },',
    body !== undefined && `  body: JSON.stringify(${indented(literal(body, scripts), 2)}),`,
    '})',
    'const answer = await response.json()',
    'if (!response.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`)',
    'console.log(answer)',
  )
}

function php(request: SampleRequest): string {
  const { method, url, body, needsKey, key } = request
  const fromEnvironment = `'Authorization: Bearer ' . getenv('${keyVariable}')`
  const bearer = key === undefined ? fromEnvironment : single(`Authorization: Bearer ${key}`)
  return lines(
    '<?php',
    `$curl = curl_init(${single(url)});`,
    'curl_setopt_array($curl, [',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    '    CURLOPT_RETURNTRANSFER => true,',
    '    CURLOPT_HTTPHEADER => [',
    needsKey && `        ${bearer},`,
    ...headersOf(request).map(([name, value]) => `        ${single(`${name}: ${value}`)},`),
    '    ],',
    body !== undefined && `    CURLOPT_POSTFIELDS => json_encode(${indented(literal(body, phpWords), 4)}),`,
    ']);',
    '$answer = json_decode(curl_exec($curl), true);',
    "if (isset($answer['error'])) {",
    "    throw new RuntimeException($answer['error']['code'] . ': ' . $answer['error']['message']);",
    '}',
    'print_r($answer);',
  )
}

function python(request: SampleRequest): string {
  const { method, url, body, needsKey, key } = request
  const bearer = key === undefined ? `f"Bearer {os.environ['${keyVariable}']}"` : double(`Bearer ${key}`)
  return lines(
    'import json',
    needsKey && key === undefined && 'import os',
    'import urllib.error',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${double(url)},`,
    `    method="${method}",`,
    '    headers={',
    needsKey && `        "Authorization": ${bearer},`,
    ...headersOf(request).map(([name, value]) => `        ${double(name)}: ${double(value)},`),
    '    },',
    body !== undefined && `    data=json.dumps(${indented(literal(body, pythonWords), 4)}).encode(),`,
    ')',
    'try:',
    '    with urllib.request.urlopen(request, timeout=60) as response:',
    '        print(json.load(response))',
    'except urllib.error.HTTPError as refusal:',
    '    error = json.load(refusal)["error"]',
    `    raise SystemExit(f"{error['code']}: {error['message']}")`,
  )
}

/** A language's notation of values. */
type Words = {
  indent: string
  string: (text: string) => string
  key: (name: string) => string
  brackets: readonly [string, string]
  emptyObject: string
  plain: Readonly<Record<string, string>>
}

const single = (text: string) =>
  `'${text.replaceAll(/[\\']/g, (character) => `\\${character}`).replaceAll('\n', String.raw`\n`)}'`
const double = (text: string) => JSON.stringify(text)

const json = { brackets: ['{', '}'], emptyObject: '{}', plain: {} } as const
const scripts: Words = {
  ...json,
  indent: '  ',
  string: single,
  key: (name) => `${/^[a-z_]\w*$/i.test(name) ? name : single(name)}: `,
}
const phpWords: Words = {
  ...json,
  indent: '    ',
  // Line feeds need double quotes, in which a dollar sign begins a variable.
  string: (text) => (text.includes('\n') ? double(text).replaceAll('$', String.raw`\$`) : single(text)),
  key: (name) => `${single(name)} => `,
  brackets: ['[', ']'],
  emptyObject: 'new stdClass()',
}
const pythonWords: Words = {
  ...json,
  indent: '    ',
  string: double,
  key: (name) => `${double(name)}: `,
  plain: { true: 'True', false: 'False', null: 'None' },
}

/** A JSON value as a literal of the language. */
function literal(value: unknown, words: Words): string {
  if (typeof value === 'string') return words.string(value)
  if (typeof value !== 'object' || value === null) return words.plain[String(value)] ?? String(value)
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((item) => literal(item, words))
    : Object.entries(value).map(([name, member]) => words.key(name) + literal(member, words))
  const [open, close] = isList ? ['[', ']'] : words.brackets
  if (parts.length === 0) return isList ? '[]' : words.emptyObject
  const line = `${open}${parts.join(', ')}${close}`
  if (!line.includes('\n') && line.length <= 60) return line
  const members = parts.map((part) => `${words.indent}${indented(part, words.indent.length)},`)
  return [open, ...members, close].join('\n')
}

/** The text with every line except the first moved to the right. */
function indented(text: string, columns: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(columns)}`)
}
