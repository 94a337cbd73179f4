/** Handlers of forms: each reads its form, checks it, writes, and returns a response. The page of the form shows why it was refused. */
import type { Tx } from '../../platform/db/connection.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { problemsOf } from './problems.ts'
import type { Handle, PageResponse, Visit } from './visit.ts'

/**
 * @param show shows the form again, with the problems in `visit.refusal`
 * @param refusalOf states the problems in other words, or beside other fields
 */
export function formHandler<V extends Visit>(
  save: Handle<V>,
  show: Handle<V>,
  refusalOf: (visit: V, error: unknown) => V['refusal'] = problemsOf,
): Handle<V> {
  return async (visit) => {
    try {
      return await save(visit)
    } catch (error) {
      return await show({ ...visit, refusal: refusalOf(visit, error) })
    }
  }
}

/** The change and its entry in the audit log commit together, before the response is sent. */
export function inOneTransaction<V extends Visit>(
  save: (visit: V, tx: Tx) => Promise<PageResponse>,
): Handle<V> {
  return (visit) => inTransaction(visit.deps.db, (tx) => save(visit, tx))
}
