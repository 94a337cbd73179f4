/**
 * The client: a method for each operation of the API.
 */
import { type ChangesFeed, changesFeed, listAll } from './iterate.ts'
import { itemError } from './errors.ts'
import { type ListingsClientOptions, senderOf } from './options.ts'
import { type Call, type ResponseInfo, send, type Sender } from './send.ts'
import { sendBatches } from './send-batches.ts'
import type {
  Batch,
  BatchResult,
  BatchTried,
  Deleted,
  DryRunOptions,
  Geocoded,
  Listed,
  Page,
  PhotosAdded,
  PhotosSet,
  ReadOptions,
  Single,
  Tried,
  WithFields,
  WriteOptions,
  Written,
} from './replies.ts'
import type {
  BatchItem,
  ChangesPage,
  DisableInput,
  FieldName,
  GeocodeInput,
  Health,
  ListQuery,
  Me,
  PropertyInput,
  PropertyPatch,
  ServiceRoot,
} from './types.ts'

type AnyWrite = Omit<WriteOptions, 'dryRun'> & { dryRun?: boolean }

export class ListingsClient {
  readonly #sender: Sender

  /** @throws TypeError naming an invalid option */
  constructor(options: ListingsClientOptions) {
    this.#sender = senderOf(options)
  }

  /** The key, its agency, the limits in force and what is used of them. Counts as a read. */
  async me(options: ReadOptions = {}): Promise<Single<Me>> {
    return this.#request({ method: 'GET', path: '/me', ...options })
  }

  /** One page of the list: by default the first 20 published listings. */
  async list<const Q extends ListQuery>(query?: Q, options: ReadOptions = {}): Promise<Page<Listed<Q>>> {
    const { fields, ...rest } = query ?? {}
    const texts = { ...textsOf(rest), fields: fields?.join(',') }
    return this.#request({ method: 'GET', path: '/properties', query: texts, remember: true, ...options })
  }

  /**
   * Every listing of a list, page after page, each once. A listing that leaves the list meanwhile moves others forward, and one of them
   * may be missed: use `changes` for a copy.
   * @throws RangeError at the 10,000th if there are more: a list ends there
   */
  listAll<const Q extends Omit<ListQuery, 'page'>>(
    query?: Q,
    options: ReadOptions = {},
  ): AsyncGenerator<Listed<Q>> {
    return listAll<Listed<Q>>(
      (page) => this.list({ per_page: 50, ...query, page }, options) as Promise<Page<Listed<Q>>>,
    )
  }

  /** A listing by its public code or uuid. */
  async get<const F extends FieldName = never>(
    id: string,
    options: ReadOptions & { fields?: readonly F[] } = {},
  ): Promise<Single<WithFields<F>>> {
    return this.#getOne(`/properties/${segment(id)}`, options)
  }

  /** A listing by the id it has in the agency's own system. */
  async getByExternalId<const F extends FieldName = never>(
    externalId: string,
    options: ReadOptions & { fields?: readonly F[] } = {},
  ): Promise<Single<WithFields<F>>> {
    return this.#getOne(`/properties/external/${segment(externalId)}`, options)
  }

  /** Creates a listing: a draft, unless `status` says `published`. */
  create(input: PropertyInput, options: DryRunOptions): Promise<Tried>
  create(input: PropertyInput, options?: WriteOptions): Promise<Written>
  async create(input: PropertyInput, options: AnyWrite = {}): Promise<Written | Tried> {
    return this.#write({ method: 'POST', path: '/properties', body: input }, options)
  }

  /** Creates the listing with that external id, or edits it. `response.status` tells which: 201 or 200. */
  put(externalId: string, input: PropertyInput, options: DryRunOptions): Promise<Tried>
  put(externalId: string, input: PropertyInput, options?: WriteOptions): Promise<Written>
  async put(externalId: string, input: PropertyInput, options: AnyWrite = {}): Promise<Written | Tried> {
    const path = `/properties/external/${segment(externalId)}`
    return this.#write({ method: 'PUT', path, body: input }, options)
  }

  /** Edits a listing. Fields left out keep their values. */
  update(id: string, patch: PropertyPatch, options: DryRunOptions): Promise<Tried>
  update(id: string, patch: PropertyPatch, options?: WriteOptions): Promise<Written>
  async update(id: string, patch: PropertyPatch, options: AnyWrite = {}): Promise<Written | Tried> {
    return this.#write({ method: 'PATCH', path: `/properties/${segment(id)}`, body: patch }, options)
  }

  /** Deletes a listing. Only the operator can restore it. */
  async delete(id: string, options: WriteOptions = {}): Promise<Deleted> {
    return this.#write({ method: 'DELETE', path: `/properties/${segment(id)}` }, options)
  }

  /** Suspends a published listing. */
  disable(id: string, input: DisableInput, options: DryRunOptions): Promise<Tried>
  disable(id: string, input?: DisableInput, options?: WriteOptions): Promise<Written>
  async disable(id: string, input: DisableInput = {}, options: AnyWrite = {}): Promise<Written | Tried> {
    const path = `/properties/${segment(id)}/disable`
    return this.#write({ method: 'POST', path, body: input }, options)
  }

  /** Publishes a draft or a suspended listing. */
  enable(id: string, options: DryRunOptions): Promise<Tried>
  enable(id: string, options?: WriteOptions): Promise<Written>
  async enable(id: string, options: AnyWrite = {}): Promise<Written | Tried> {
    return this.#write({ method: 'POST', path: `/properties/${segment(id)}/enable`, body: {} }, options)
  }

  /** Adds photos behind those that the listing has. */
  async addPhotos(id: string, urls: readonly string[], options: WriteOptions = {}): Promise<PhotosAdded> {
    const path = `/properties/${segment(id)}/photos`
    return this.#write({ method: 'POST', path, body: { urls } }, options)
  }

  /**
   * Sets the listing's photos to exactly these, in this order. The URLs of its own photos, and sources that its photos came from, cost no
   * download. Photos that are not named are removed. With `refresh`, sources are downloaded again.
   */
  async setPhotos(
    id: string,
    urls: readonly string[],
    { refresh, ...options }: WriteOptions & { refresh?: boolean } = {},
  ): Promise<PhotosSet> {
    const path = `/properties/${segment(id)}/photos`
    const body = refresh === undefined ? { urls } : { urls, refresh }
    return this.#write({ method: 'PUT', path, body }, options)
  }

  /** Up to 50 operations, in order. Items that fail do not stop the others: look at each result's `error`. */
  batch(items: readonly BatchItem[], options: Omit<DryRunOptions, 'ifMatch'>): Promise<BatchTried>
  batch(items: readonly BatchItem[], options?: Omit<WriteOptions, 'ifMatch'>): Promise<Batch>
  async batch(items: readonly BatchItem[], options: AnyWrite = {}): Promise<Batch | BatchTried> {
    const call = { method: 'POST', path: '/properties/batch', body: { items } } as const
    const reply = await this.#write<Batch>(call, options)
    const results = reply.results.map((result): BatchResult =>
      'error' in result && result.error !== undefined
        ? { ...result, error: itemError({ ...result.error }) }
        : result,
    )
    return { ...reply, results }
  }

  /**
   * Any number of operations, in batches that the service takes. Yields the result of each item in order, with `index` counted over all,
   * also in the texts of errors. An item that met an exhausted limit is sent again once the limit is open, after the items behind it in
   * its batch. If that takes longer than `retry.maxRetryAfterMs`, its result is `rate_limited`.
   * @throws RangeError before anything is sent if an item fits no batch
   */
  batches(items: readonly BatchItem[], options: { signal?: AbortSignal } = {}): AsyncGenerator<BatchResult> {
    const { onRetry, policy, signal } = this.#sender
    const signals = [signal, options.signal]
    return sendBatches(items, { send: (batch) => this.batch(batch, options), policy, onRetry, signals })
  }

  /**
   * The feed of changes after a cursor, or from the beginning: every listing, then each change. It ends once all changes are reported;
   * call it again later with the cursor.
   */
  changes<const F extends FieldName = never>(
    options: { cursor?: string; fields?: readonly F[]; limit?: number; signal?: AbortSignal } = {},
  ): ChangesFeed<WithFields<F>> {
    return changesFeed(options.cursor, async (cursor) => {
      const query = { cursor, fields: options.fields?.join(','), limit: options.limit?.toString() }
      return this.#request<ChangesPage<WithFields<F>> & { response: ResponseInfo }>({
        method: 'GET',
        path: '/changes',
        query,
        signal: options.signal,
      })
    })
  }

  /** How the service reads an address, and whether a listing has it already. Stores nothing. */
  async geocode(input: GeocodeInput, options: ReadOptions = {}): Promise<Geocoded> {
    return this.#request({ method: 'POST', path: '/geocode', body: input, ...options })
  }

  /** The service's description, and the URLs of its documents. */
  async root(options: ReadOptions = {}): Promise<ServiceRoot & { response: ResponseInfo }> {
    return this.#request({ method: 'GET', path: '/', ...options })
  }

  /** Whether the service responds. */
  async health(options: ReadOptions = {}): Promise<Health & { response: ResponseInfo }> {
    return this.#request({ method: 'GET', path: '/health', ...options })
  }

  #getOne<P>(
    path: string,
    { fields, signal }: ReadOptions & { fields?: readonly FieldName[] },
  ): Promise<Single<P>> {
    return this.#request({
      method: 'GET',
      path,
      query: { fields: fields?.join(',') },
      remember: true,
      signal,
    })
  }

  async #write<Reply>(call: Call, options: AnyWrite): Promise<Reply> {
    const { idempotencyKey, ifMatch, dryRun, signal } = options
    if (idempotencyKey !== undefined && !/^[A-Za-z0-9._:-]{8,64}$/.test(idempotencyKey))
      throw new RangeError('idempotencyKey must be 8 to 64 of the characters A-Z a-z 0-9 . _ : -')
    if (ifMatch === null)
      throw new RangeError('ifMatch is null: the response had no ETag, so nothing would be compared')
    if (dryRun === true) return this.#request({ ...call, query: { dry_run: 'true' }, ifMatch, signal })
    return this.#request({ ...call, idempotencyKey: idempotencyKey ?? crypto.randomUUID(), ifMatch, signal })
  }

  /** Trusts the OpenAPI document: the reply is not validated. */
  async #request<Reply>(call: Call): Promise<Reply> {
    const { body, response } = await send(this.#sender, call)
    return { ...(body as object), response } as Reply
  }
}

/** @throws RangeError for an id that would change the path */
function segment(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new RangeError(`"${id}" names no listing`)
  return encodeURIComponent(id)
}

function textsOf(query: Omit<ListQuery, 'fields'>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, value === undefined ? undefined : String(value)]),
  )
}
