/**
 * Forms with files (multipart/form-data). The fields before the first file are read at once, so that the form's token is checked before
 * a byte of a file is kept. Files then arrive in memory, as many at a time as there are slots (upload-slots.ts); nothing is written to disk.
 */
import { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { ApiError, invalid } from '../../platform/errors.ts'
import { checkLength } from '../../http/input/request-headers.ts'
import { exemptFromTimeout } from '../../http/connections/client-errors.ts'
import { abortable } from '../../limits/concurrency.ts'
import { uploadBudgets } from '../../limits/table.ts'
import { openUploadSlots } from './upload-slots.ts'

/** What a page takes: how many files in one form, and of how many bytes each. */
export type UploadLimits = Readonly<{ files: number; bytes: number }>

/** A file as it was sent. Its name and its bytes are whatever the sender chose. */
export type UploadedFile = Readonly<{ field: string; name: string; bytes: Buffer }>

/** Runs the work with the files of the form, while the request has a slot. */
export type Receive = <T>(work: (files: readonly UploadedFile[]) => Promise<T>) => Promise<T>

export type Upload = {
  /** The fields that came before the first file. */
  form: URLSearchParams
  /** @param payer whose slots are taken. @throws ApiError 400, 408, 413 for the form; 503 if no slot became free in time */
  receive<T>(payer: string, work: (files: readonly UploadedFile[]) => Promise<T>): Promise<T>
  /** Reads what is left without keeping it: a browser reads its answer only after it has sent everything. Never throws. */
  drop(): Promise<void>
  /** Stops reading. */
  close(): void
}

const ofProcess = { slots: openUploadSlots(), idleMs: uploadBudgets.idle_seconds * 1_000 }
const longestName = 200

/** The upload of a request, read as far as its first file; null for any other form. Close it in any case. */
export async function uploadOf(
  request: FastifyRequest,
  limits: UploadLimits | undefined,
): Promise<Upload | null> {
  const { body, headers } = request
  const isMultipart = /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '')
  if (limits === undefined || !isMultipart || !(body instanceof Readable)) return null
  return await openUpload(request, body, limits)
}

/**
 * Reads the fields before the first file.
 * @param body of the request, unread
 * @throws ApiError 400 for what is no such form, 413 for one that is too large, 408 for one that comes too slowly
 */
export async function openUpload(
  request: FastifyRequest,
  body: Readable,
  limits: UploadLimits,
  { slots, idleMs } = ofProcess,
): Promise<Upload> {
  checkLength(request, limits.files * limits.bytes + uploadBudgets.overhead_bytes)
  const over = new AbortController()
  const fail = (error: ApiError): void => over.abort(error)
  const form = new URLSearchParams()
  const files: UploadedFile[] = []
  const head = Promise.withResolvers<void>()
  const beginning = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  /** What becomes of files. Until that is decided they wait, and what does not fit a small buffer is not read. */
  let take: ((file: ArrivingFile) => void) | null = null
  const waiting: ArrivingFile[] = []

  const parser = openParser(request, limits)
  parser.on('field', (name, value, _isNameCut, isCut) => {
    if (isCut) fail(new ApiError('payload_too_large'))
    else if (value.includes('\0')) fail(invalid(name, `${name} holds characters that are not text.`))
    // What follows a file is not read: nothing there could have been judged before it.
    else if (take === null && waiting.length === 0) form.append(name, value)
  })
  parser.on('file', (field, stream, name) => {
    stream.on('error', () => {})
    const file = { field, name: cleanName(name), stream }
    if (take === null) waiting.push(file)
    else take(file)
    head.resolve()
  })
  for (const limit of ['filesLimit', 'partsLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => fail(new ApiError('payload_too_large')))
  parser.on('error', () => fail(notWhole()))
  parser.on('finish', () => {
    head.resolve()
    end.resolve()
  })
  const firstBytes = Math.min(
    uploadBudgets.first_bytes,
    Number(request.headers['content-length'] ?? Infinity),
  )
  let arrived = 0
  const count = (piece: Buffer): void => {
    arrived += piece.length
    if (arrived >= firstBytes) beginning.resolve()
  }
  body.on('data', count)
  body.on('end', beginning.resolve)
  body.on('error', (error) => fail(error instanceof ApiError ? error : notWhole()))
  body.on('close', () => {
    if (!body.readableEnded) fail(notWhole())
  })

  body.pipe(parser)
  const detach = (): void => void body.unpipe(parser)
  try {
    await abortable(head.promise, over.signal)
  } catch (error) {
    detach()
    throw error
  }
  const endExemption = exemptFromTimeout(request.raw.socket)
  const inTime = async (awaited: Promise<void>): Promise<void> => {
    const stop = limitTime(body, idleMs, fail)
    try {
      await abortable(awaited, over.signal)
    } finally {
      stop()
    }
  }
  let isWhole = false
  const read = async (taken: (file: ArrivingFile) => void): Promise<void> => {
    take = taken
    for (const file of waiting) taken(file)
    await inTime(end.promise)
    isWhole = true
  }
  return {
    form,
    receive: async (payer, work) => {
      await inTime(beginning.promise)
      const upload = { payer, signal: over.signal, arrived: () => arrived, isWhole: () => isWhole, fail }
      return await slots(upload, async () => {
        await read((file) => keep(file, mostBytes(request, limits), (kept) => files.push(kept), fail))
        return await work(files)
      })
    },
    drop: async () => {
      if (take === null) await read(({ stream }) => void stream.resume()).catch(() => {})
    },
    close: () => {
      detach()
      body.off('data', count)
      endExemption()
    },
  }
}

/** Limits the time of what arrives from now on; a wait for a slot is not the sender's. @returns what ends it */
function limitTime(body: Readable, idleMs: number, fail: (error: ApiError) => void): () => void {
  const tooSlow = (): void => fail(new ApiError('request_timeout'))
  const stalled = setTimeout(tooSlow, idleMs)
  const late = setTimeout(tooSlow, uploadBudgets.seconds * 1_000)
  const arrived = (): void => void stalled.refresh()
  body.on('data', arrived)
  return () => {
    clearTimeout(stalled)
    clearTimeout(late)
    body.off('data', arrived)
  }
}

type ArrivingFile = { field: string; name: string; stream: BusboyFileStream }

function openParser({ headers }: FastifyRequest, { files, bytes }: UploadLimits) {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      // A file without a slot keeps only its first bytes.
      fileHwm: uploadBudgets.first_bytes,
      limits: {
        files,
        fileSize: bytes,
        fields: uploadBudgets.fields,
        fieldSize: uploadBudgets.field_bytes,
        parts: files + uploadBudgets.fields,
        headerPairs: 20,
        headerSize: 4_096,
      },
    })
  } catch (error) {
    throw invalid('body', `The form cannot be read: ${error instanceof Error ? error.message : ''}`)
  }
}

/** No file is larger, and none is larger than what the request announces. */
function mostBytes({ headers }: FastifyRequest, { bytes }: UploadLimits): number {
  return Math.min(bytes, Number(headers['content-length'] ?? bytes))
}

/** Collects a file in one piece of memory: keeping its parts and joining them would take twice as much. */
function keep(
  { field, name, stream }: ArrivingFile,
  most: number,
  done: (file: UploadedFile) => void,
  fail: (error: ApiError) => void,
): void {
  const bytes = Buffer.allocUnsafeSlow(most)
  let length = 0
  stream.on('data', (piece: Buffer) => void (length += piece.copy(bytes, length)))
  const tooLarge = (): void => fail(new ApiError('payload_too_large'))
  // It may have arrived before it was taken.
  if (stream.truncated) tooLarge()
  else stream.once('limit', tooLarge)
  stream.once('end', () => {
    // A field for files that was left empty is sent too.
    if (length > 0 || name !== '') done({ field, name, bytes: bytes.subarray(0, length) })
  })
}

/** For display: one line, and not a long one. */
function cleanName(name: string | undefined): string {
  return (name ?? '')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .toWellFormed()
    .slice(0, longestName)
}

function notWhole(): ApiError {
  return invalid('body', 'The form did not arrive whole.')
}
