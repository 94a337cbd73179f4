/**
 * The cursor of `GET /changes` (api.md 14.5). It names its owner and the revision up to which everything has been read. It grants nothing,
 * so it needs no secret: only changes of the key's own agency are ever read.
 */
import type { Caller } from '../../http/admission/authenticate.ts'
import { type ApiError, invalid } from '../../platform/errors/errors.ts'

/** Keys that see drafts and keys that do not have separate cursors, because they see different listings. */
type CursorOwner = { agencyId: string; seesDrafts: boolean }

export function cursorOwnerOf({ agency, seesDrafts }: Caller): CursorOwner {
  return { agencyId: agency.id, seesDrafts }
}

const formatVersion = 1
/** 24 bytes in base64url, which spells them in one way only: version of this format, kind of key, agency, revision. */
const cursorPattern = /^[A-Za-z0-9_-]{32}$/

export function writeCursor({ agencyId, seesDrafts }: CursorOwner, revision: number): string {
  const bytes = Buffer.alloc(24)
  bytes[0] = formatVersion
  bytes[1] = Number(seesDrafts)
  bytes.write(agencyId.replaceAll('-', ''), 2, 'hex')
  bytes.writeUIntBE(revision, 18, 6)
  return bytes.toString('base64url')
}

/** @param current the agency's revision @returns the revision that was read up to @throws ApiError 400 `cursor` if it is not the owner's */
export function readCursor(text: string, owner: CursorOwner, current: number): number {
  const bytes = Buffer.from(cursorPattern.test(text) ? text : '', 'base64url')
  const revision = bytes.length === 24 ? bytes.readUIntBE(18, 6) : 0
  if (text === writeCursor(owner, revision)) {
    if (revision > current) throw lostCursor()
    return revision
  }
  if (text === writeCursor({ ...owner, seesDrafts: !owner.seesDrafts }, revision))
    throw invalid(
      'cursor',
      `cursor comes from a key ${owner.seesDrafts ? 'without' : 'with'} properties:write, which sees other listings. ${startOver}`,
    )
  throw invalid('cursor', `cursor was not given to a key of this agency. ${startOver}`)
}

/** 400 `cursor`: the database was restored to an earlier time, and the cursor is from the lost period. */
export function lostCursor(): ApiError {
  return invalid('cursor', `cursor belongs to changes that the service no longer has. ${startOver}`)
}

const startOver = 'Start over: leave cursor out, and replace your copy with what you receive.'

/**
 * A cursor with a larger gap before the next change may be from a period that a restored backup lost: a restore raises revisions by twice
 * this (docs/operations/backup.md). Other cursors have no such gap.
 */
export const lostCursorGap = 500_000_000
