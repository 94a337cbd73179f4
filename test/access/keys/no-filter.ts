/** A search of the request log without conditions. */
import type { RequestFilter } from '../../../src/access/request-log/request-search.ts'

export const noFilter: RequestFilter = {
  keyId: null,
  method: null,
  path: null,
  status: null,
  code: null,
  parameter: null,
  from: null,
  before: null,
}
