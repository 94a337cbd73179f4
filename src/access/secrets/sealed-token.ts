/** Encrypted tokens for links and forms: nobody else can make, read or alter one, and each is marked with its kind. */
type Box = Readonly<{ seal: (text: string) => Buffer; open: (sealed: Buffer) => string }>

const maxTokenLength = 1_000

export function sealToken({ seal }: Pick<Box, 'seal'>, mark: string, parts: readonly string[]): string {
  return seal(JSON.stringify([mark, ...parts])).toString('base64url')
}

/** @returns the parts; null if it is not a token of this kind */
export function openToken({ open }: Pick<Box, 'open'>, mark: string, token: string): string[] | null {
  if (token.length > maxTokenLength || !/^[\w-]+$/.test(token)) return null
  try {
    const [sealedMark, ...parts] = JSON.parse(open(Buffer.from(token, 'base64url'))) as string[]
    return sealedMark === mark ? parts : null
  } catch {
    return null
  }
}
