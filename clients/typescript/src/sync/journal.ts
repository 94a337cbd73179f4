/**
 * The command's memory between runs, in a file that only grows during a run and survives a kill at any time: the state of each
 * listing, and each request before it is sent.
 *
 * A request that a killed run had sent is sent again with the same Idempotency-Key before anything new is planned: the response
 * shows its outcome, and while the service is still working on it, nothing else is started.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { BatchItem } from '../types.ts'
import type { Content } from './listing.ts'

/** The last known state of a listing. */
export type Known = {
  /** A hash of the sent fields, and the time of the listing's last known change. */
  content?: string
  updatedAt?: string
  /** Fingerprints of the sources of its photos, of those that failed, and of the photos themselves. */
  sources?: readonly string[]
  failed?: readonly string[]
  photos?: string
  /** The `updated_at` of a listing that is suspended as the file says. Until it changes, the file decides whether to publish it. */
  suspended?: string
  /** The command deleted it, or sent a deletion whose outcome is unknown. */
  deleted?: true
}

/** The parts of a request that are needed to interpret its response. */
export type Intent = {
  id: string
  at: string
  key: string
  /** By index of the item: what is known of the listing if the item succeeds. */
  subjects: readonly { externalId: string; content?: string; urls?: readonly string[] }[]
} & (
  | { kind: 'batch'; items: readonly BatchItem[] }
  | { kind: 'put'; externalId: string; input: Record<string, unknown> }
  | { kind: 'photos'; listing: string; urls: readonly string[]; refresh: boolean }
)

type Line =
  | { format: 1; agency: string }
  | { listing: string; known: Known }
  | { intent: Intent }
  | { done: string }

export type Journal = {
  known: ReadonlyMap<string, Known>
  /** Requests whose response is unknown. */
  open(): Intent[]
  begin(intent: Intent): void
  /** Notes that the response of that request was processed, and what it shows of the listings. */
  settle(intent: string, learnt: ReadonlyMap<string, Known>): void
  learn(learnt: ReadonlyMap<string, Known>): void
  close(): void
}

/**
 * Opens the journal for writing, after rewriting it without finished requests.
 * @throws Error if the file belongs to another agency, or is not a journal
 */
export function openJournal(path: string, agency: string): Journal {
  const { known, open } = readJournal(path, agency)
  const rewrite = (): number => {
    const fresh = openSync(`${path}.new`, 'w', 0o600)
    append(fresh, [
      { format: 1, agency },
      ...[...known].map(([listing, of]): Line => ({ listing, known: of })),
      ...[...open.values()].map((intent): Line => ({ intent })),
    ])
    renameSync(`${path}.new`, path)
    syncDirectory(dirname(path))
    return fresh
  }
  const descriptor = rewrite()

  const apply = (learnt: ReadonlyMap<string, Known>): Line[] =>
    [...learnt].map(([listing, of]) => {
      known.set(listing, of)
      return { listing, known: of }
    })
  return {
    known,
    open: () => [...open.values()],
    begin(intent) {
      append(descriptor, [{ intent }])
      open.set(intent.id, intent)
    },
    settle(intent, learnt) {
      // In this order: if a kill separates them, the request still counts as open, and repeating it gives the same result.
      append(descriptor, [...apply(learnt), { done: intent }])
      open.delete(intent)
    },
    learn: (learnt) => append(descriptor, apply(learnt)),
    close() {
      closeSync(descriptor)
      closeSync(rewrite())
    },
  }
}

/** Reads the journal without touching it. A line that a kill left unfinished does not count. */
export function readJournal(
  path: string,
  agency: string,
): { known: Map<string, Known>; open: Map<string, Intent> } {
  const known = new Map<string, Known>()
  const open = new Map<string, Intent>()
  if (!existsSync(path)) return { known, open }
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  for (const [index, text] of lines.entries()) {
    const line = parse(text)
    if (index === 0) {
      if (line === null || !('format' in line)) throw new Error(`${path} is not a journal of this command`)
      if (line.agency !== agency) throw new Error(`${path} is the journal of another agency`)
    } else if (line === null) continue
    else if ('listing' in line) known.set(line.listing, line.known)
    else if ('intent' in line) open.set(line.intent.id, line.intent)
    else if ('done' in line) open.delete(line.done)
  }
  return { known, open }
}

function parse(text: string): Line | null {
  try {
    return JSON.parse(text) as Line
  } catch {
    return null
  }
}

/** The lines are on disk when it returns. */
function append(descriptor: number, lines: readonly Line[]): void {
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  let written = 0
  while (written < bytes.length) written += writeSync(descriptor, bytes, written)
  fsyncSync(descriptor)
}

function syncDirectory(path: string): void {
  // Windows cannot sync a directory.
  if (process.platform === 'win32') return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Beside the source, one for each agency. A test key's environment is an agency of its own. */
export function defaultJournal(source: string, agencySlug: string): string {
  const path = resolve(source)
  return join(statSync(path).isDirectory() ? path : dirname(path), `.listings-sync.${agencySlug}.journal`)
}

/** Sources may carry tokens: only their fingerprints are kept. */
export function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

export function contentFingerprint(content: Content): string {
  return fingerprint(canonical(content))
}

/** The order of fields makes no difference. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join()}}`
}
