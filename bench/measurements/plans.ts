/** How PostgreSQL executes each filter and sort at the large agency: time, pages touched, indexes used. */
import pg from 'pg'
import { listStatement, pageStatement, type Statement } from '../processes/captured.ts'
import { everyShape } from '../scenarios/shapes.ts'

export type Plan = {
  shape: string
  total: number
  /** Page and total in one statement, and the page only; milliseconds, best of three. */
  bothMs: number
  pageMs: number
  planningMs: number
  /** 8 kB pages touched by the statement for both. */
  buffers: number
  /** The scanned index or table, such as `Index Only Scan properties_searched_idx`, and the number of rows it discarded. */
  scans: string[]
}

type Node = {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  'Rows Removed by Filter'?: number
  'Heap Fetches'?: number
  Plans?: Node[]
}
type Explained = { Plan: Node & Record<string, number>; 'Execution Time': number; 'Planning Time': number }

export async function explainAll(connection: pg.ClientConfig, agencyId: string): Promise<Plan[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const plans: Plan[] = []
  for (const shape of everyShape) {
    const both = await listStatement(agencyId, shape, 1)
    const { rows } = await client.query(both.text, [...both.parameters])
    const explained = await best(client, both)
    const page = await best(client, await pageStatement(agencyId, shape, 1))
    plans.push({
      shape: shape.name,
      total: rows[0]?.total ?? 0,
      bothMs: explained['Execution Time'],
      pageMs: page['Execution Time'],
      planningMs: explained['Planning Time'],
      buffers: (explained.Plan['Shared Hit Blocks'] ?? 0) + (explained.Plan['Shared Read Blocks'] ?? 0),
      scans: scansOf(explained.Plan),
    })
  }
  await client.end()
  return plans
}

async function best(client: pg.Client, { text, parameters }: Statement): Promise<Explained> {
  const explained: Explained[] = []
  for (let round = 0; round < 3; round += 1) {
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, [...parameters])
    explained.push(rows[0]['QUERY PLAN'][0])
  }
  return explained.sort((a, b) => a['Execution Time'] - b['Execution Time'])[0] as Explained
}

function scansOf(node: Node): string[] {
  const below = (node.Plans ?? []).flatMap(scansOf)
  if (!node['Node Type'].endsWith('Scan') || node['Node Type'] === 'Subquery Scan') return below
  const thrown = (node['Rows Removed by Filter'] ?? 0) > 0 ? ` -${node['Rows Removed by Filter']}` : ''
  const heap = (node['Heap Fetches'] ?? 0) > 0 ? ` heap ${node['Heap Fetches']}` : ''
  return [
    `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name'] ?? ''}${thrown}${heap}`,
    ...below,
  ]
}
