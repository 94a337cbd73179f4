/** The operator's search for people of all agencies, by email or name. */
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statement.ts'

type FoundPerson = {
  agency_id: string | null
  id: string
  email: string
  name: string | null
  role: string
}

const most = 20
const findPeople = statement<FoundPerson>(`
  select agency_id, id, email, name, role from accounts
  where strpos(lower(email), $1) > 0 or strpos(translate(lower(name), 'áéíóúüñ', 'aeiouun'), $2) > 0
  order by email limit ${most}`)

/** @param text a part of the email or name; @param folded the same without accents, in lower case */
export async function findPeopleAnywhere(db: Db, text: string, folded: string): Promise<FoundPerson[]> {
  return await findPeople(db, [text.toLowerCase(), folded])
}
