/**
 * The first page, for operators and for the people of an agency.
 */
import { checkNodeOf } from '../../../platform/db/citus/nodes.ts'
import { ownAgency } from '../access.ts'
import { type Page, personPage } from '../visit.ts'
import { agencyHome } from './home.ts'
import { operatorHome } from './operator-home.ts'

export const overviewPages: readonly Page[] = [
  personPage('GET', '', 'person', async (visit) => {
    const { agency } = visit.session
    if (agency === null) return await operatorHome(visit)
    await checkNodeOf(visit.deps.db, agency.id)
    return await agencyHome({ ...visit, agency: ownAgency(agency) })
  }),
]
