/**
 * One request in four languages, as a reader would write it: curl, TypeScript, PHP and Python. The key comes from the environment, or is
 * written out where it is shown once.
 */

export const sampleLanguages = { curl: 'curl', ts: 'TypeScript', php: 'PHP', python: 'Python' } as const
export type SampleLanguage = keyof typeof sampleLanguages

export type SampleRequest = {
  method: string
  url: string
  /** Without the key, `User-Agent` and `Content-Type`, which every sample has where they belong. */
  headers: Readonly<Record<string, string>>
  /** Undefined for none. */
  body?: unknown
  needsKey: boolean
  /** The key itself, in place of the environment. */
  key?: string
}

/** Where the samples, and the recipes in examples/, find the key. */
const keyVariable = 'SVC_API_KEY'
/** Joined, because only config/ reads the environment, and this is what others write. */
const scriptVariable = ['process', 'env', keyVariable].join('.')
const agent = 'AcmeCRM/2.3 (+https://acme.example; dev@acme.example)'

/** The request in each language. */
export function samplesOf(request: SampleRequest): Record<SampleLanguage, string> {
  return { curl: curl(request), ts: typescript(request), php: php(request), python: python(request) }
}

function headersOf({ headers, body }: SampleRequest): [string, string][] {
  return [
    ['User-Agent', agent],
    ...Object.entries(headers),
    ...(body === undefined ? [] : ([['Content-Type', 'application/json']] as [string, string][])),
  ]
}

function curl(request: SampleRequest): string {
  const { method, url, body, needsKey, key } = request
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...(needsKey ? [`-H "Authorization: Bearer ${key ?? `$${keyVariable}`}"`] : []),
    ...headersOf(request).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ]
  return lines.join(' \\\n  ')
}

function typescript(request: SampleRequest): string {
  const { method, url, body, needsKey, key } = request
  const bearer = key === undefined ? `\`Bearer \${${scriptVariable}}\`` : single(`Bearer ${key}`)
  const fields = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    [
      'headers: {',
      ...(needsKey ? [`    Authorization: ${bearer},`] : []),
      ...headersOf(request).map(([name, value]) => `    '${name}': ${single(value)},`),
      '  }',
    ].join('\n'),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(literal(body, scripts), 2)})`]),
  ]
  return [
    `const response = await fetch(${single(url)}, {`,
    ...fields.map((field) => `  ${field},`),
    '})',
    'const answer = await response.json()',
    'if (!response.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`)',
    'console.log(answer)',
  ].join('\n')
}

function php(request: SampleRequest): string {
  const { method, url, body, needsKey, key } = request
  const bearer =
    key === undefined
      ? `'Authorization: Bearer ' . getenv('${keyVariable}')`
      : single(`Authorization: Bearer ${key}`)
  return [
    '<?php',
    `$curl = curl_init(${single(url)});`,
    'curl_setopt_array($curl, [',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    '    CURLOPT_RETURNTRANSFER => true,',
    '    CURLOPT_HTTPHEADER => [',
    ...(needsKey ? [`        ${bearer},`] : []),
    ...headersOf(request).map(([name, value]) => `        ${single(`${name}: ${value}`)},`),
    '    ],',
    ...(body === undefined
      ? []
      : [`    CURLOPT_POSTFIELDS => json_encode(${indented(literal(body, phpWords), 4)}),`]),
    ']);',
    '$answer = json_decode(curl_exec($curl), true);',
    "if (isset($answer['error'])) {",
    "    throw new RuntimeException($answer['error']['code'] . ': ' . $answer['error']['message']);",
    '}',
    'print_r($answer);',
  ].join('\n')
}

function python(request: SampleRequest): string {
  const { method, url, body, needsKey, key } = request
  const bearer =
    key === undefined ? `f"Bearer {os.environ['${keyVariable}']}"` : JSON.stringify(`Bearer ${key}`)
  return [
    'import json',
    ...(needsKey && key === undefined ? ['import os'] : []),
    'import urllib.error',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    `    method="${method}",`,
    '    headers={',
    ...(needsKey ? [`        "Authorization": ${bearer},`] : []),
    ...headersOf(request).map(
      ([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
    ),
    '    },',
    ...(body === undefined
      ? []
      : [`    data=json.dumps(${indented(literal(body, pythonWords), 4)}).encode(),`]),
    ')',
    'try:',
    '    with urllib.request.urlopen(request, timeout=60) as response:',
    '        print(json.load(response))',
    'except urllib.error.HTTPError as refusal:',
    '    error = json.load(refusal)["error"]',
    `    raise SystemExit(f"{error['code']}: {error['message']}")`,
  ].join('\n')
}

/** How a language writes values. */
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

const scripts: Words = {
  indent: '  ',
  string: single,
  key: (name) => `${/^[a-z_]\w*$/i.test(name) ? name : single(name)}: `,
  brackets: ['{', '}'],
  emptyObject: '{}',
  plain: {},
}
const phpWords: Words = {
  indent: '    ',
  // Only double quotes know line feeds, and in them a dollar sign begins a variable.
  string: (text) => (text.includes('\n') ? double(text).replaceAll('$', String.raw`\$`) : single(text)),
  key: (name) => `${single(name)} => `,
  brackets: ['[', ']'],
  emptyObject: 'new stdClass()',
  plain: {},
}
const pythonWords: Words = {
  indent: '    ',
  string: double,
  key: (name) => `${double(name)}: `,
  brackets: ['{', '}'],
  emptyObject: '{}',
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
  return [open, ...parts.map((part) => `${words.indent}${indented(part, words.indent.length)},`), close].join(
    '\n',
  )
}

/** The text with every line but the first moved to the right. */
function indented(text: string, columns: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(columns)}`)
}
