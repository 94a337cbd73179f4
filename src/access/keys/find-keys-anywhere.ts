/** Finds keys of all agencies, for the operator's search. */
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import { isUuid } from '../../platform/names/ids.ts'
import { fingerprint, parseApiKey } from './key-format.ts'

type FoundKey = { agency_id: string; id: string; name: string; prefix: string }

const maxFound = 20
const keyColumns = 'agency_id, id, name, prefix'
const keyByFingerprint = statement<FoundKey>(`select ${keyColumns} from api_keys where fingerprint = $1`)
const keyById = statement<FoundKey>(`select ${keyColumns} from api_keys where id = $1`)
const keysByPrefix = statement<FoundKey>(`
  select ${keyColumns} from api_keys where starts_with(prefix, $1) order by created_at desc limit ${maxFound}`)

/** Finds keys by the whole key, its id, or its beginning, which needs at least one character after `_live_` or `_test_`. */
export async function findKeysAnywhere(db: Db, text: string): Promise<FoundKey[]> {
  if (isUuid(text)) return await keyById(db, [text])
  if (parseApiKey(text) !== null) return await keyByFingerprint(db, [fingerprint(text)])
  const [prefix] = /^[a-z][a-z0-9]{0,31}_(?:live|test)_[0-9A-Za-z]{1,4}(?=…?$)/.exec(text) ?? []
  return prefix === undefined ? [] : await keysByPrefix(db, [prefix])
}
