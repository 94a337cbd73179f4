/** Handlers of forms: each reads its form, checks it, writes, and returns a response. The page of the form shows why it was refused. */
import type { Tx } from '../../../platform/db/statements/connection.ts'
import { inTransaction } from '../../../platform/db/statements/transaction.ts'
import { problemsOf } from './problems.ts'
import type { Handle, PageRequest, PageResponse, Refusal } from '../serving/page.ts'

/**
 * @param show shows the form again, with the problems in `request.refusal`
 * @param refusalOf states the problems in other words, or beside other fields
 */
export function formHandler<R extends PageRequest>(
  save: Handle<R>,
  show: Handle<R>,
  refusalOf: (request: R, error: unknown) => Refusal = problemsOf,
): Handle<R> {
  return async (request) => {
    try {
      return await save(request)
    } catch (error) {
      return await show({ ...request, refusal: refusalOf(request, error) })
    }
  }
}

/** The change and its entry in the audit log commit together, before the response is sent. */
export function inOneTransaction<R extends PageRequest>(
  save: (request: R, tx: Tx) => Promise<PageResponse>,
): Handle<R> {
  return (request) => inTransaction(request.deps.db, (tx) => save(request, tx))
}
