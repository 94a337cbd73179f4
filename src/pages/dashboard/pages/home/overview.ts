/** Chooses the first page after signing in: the agency's or the operators'. */
import { checkNodeOf } from '../../../../platform/db/citus/nodes.ts'
import { ownAgency } from '../../serving/access.ts'
import { personPage } from '../../serving/page.ts'
import { agencyHome } from './home.ts'
import { operatorHome } from '../operator/home.ts'

export const overviewPages = [
  personPage('GET', '', 'person', async (request) => {
    const { agency } = request.session
    if (agency === null) return await operatorHome(request)
    await checkNodeOf(request.deps.db, agency.id)
    return await agencyHome({ ...request, agency: ownAgency(agency) })
  }),
]
