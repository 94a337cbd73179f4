/**
 * Forms with a file (multipart/form-data). The fields before the file are read first, so that the form's token is checked before a byte of
 * the file is kept. The file is then kept in memory, never on disk. Slots limit the number of files at a time (upload-slots.ts).
 */
import { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { exemptFromTimeout } from '../../../http/connections/client-errors.ts'
import { checkLength } from '../../../http/input/request-headers.ts'
import { abortable } from '../../../platform/concurrency.ts'
import { sizeLimits, uploadBudgets } from '../../../limits/sizes.ts'
import { ApiError, invalid } from '../../../platform/errors/errors.ts'
import { openUploadSlots } from './upload-slots.ts'

/** The sender chose both name and bytes. */
type UploadedFile = Readonly<{ name: string; bytes: Buffer }>

/** Runs the work with the file of the form, null if there is none, while the request has a slot. */
export type Receive = <T>(work: (file: UploadedFile | null) => Promise<T>) => Promise<T>

export type Upload = {
  /** The fields that came before the file. */
  form: URLSearchParams
  /** @param payer whose slots are taken. @throws ApiError 400, 408, 413 for the form; 503 if no slot became free in time */
  receive<T>(payer: string, work: (file: UploadedFile | null) => Promise<T>): Promise<T>
  /** Reads the rest without keeping it: a browser reads the response only after it has sent everything. Never throws. */
  drop(): Promise<void>
  close(): void
}

const ofProcess = {
  maxBytes: sizeLimits.photo_bytes as number,
  slots: openUploadSlots(),
  idleMs: uploadBudgets.idleSeconds * 1_000,
}
const maxNameLength = 200

/**
 * The upload of a request, read up to its file; null for forms without files. Always close it.
 * @throws ApiError 400 for a malformed form, 413 for one that is too large, 408 for one that arrives too slowly
 */
export async function openUpload(
  request: FastifyRequest,
  { maxBytes, slots, idleMs } = ofProcess,
): Promise<Upload | null> {
  const { body, headers } = request
  if (!(body instanceof Readable)) return null
  checkLength(request, maxBytes + uploadBudgets.overheadBytes)
  const over = new AbortController()
  const fail = (error: ApiError): void => over.abort(error)
  const parser = openParser(headers, maxBytes)
  const { form, atFile, end } = readParts(parser, fail)
  const announced = Number(headers['content-length'] ?? Infinity)
  const firstBytes = Math.min(uploadBudgets.firstBytes, announced)
  const { arrived, beginning, stopCounting } = countBytes(body, firstBytes)
  body.on('error', (error) => fail(error instanceof ApiError ? error : incomplete()))
  body.on('close', () => {
    if (!body.readableEnded) fail(incomplete())
  })

  body.pipe(parser)
  const detach = (): void => void body.unpipe(parser)
  const file = await abortable(atFile, over.signal).catch((error: unknown) => {
    detach()
    throw error
  })
  const endExemption = exemptFromTimeout(request.raw.socket)
  const inTime = (awaited: Promise<void>) =>
    abortable(awaited, over.signal).finally(limitTime(body, idleMs, fail))
  let isRead = false
  let isWhole = false
  return {
    form,
    receive: async (payer, work) => {
      await inTime(beginning)
      const upload = { payer, signal: over.signal, arrived, isWhole: () => isWhole, fail }
      return await slots(upload, async () => {
        isRead = true
        const collected = file === null ? null : collect(file, Math.min(maxBytes, announced))
        await inTime(end)
        isWhole = true
        return await work(collected?.() ?? null)
      })
    },
    drop: async () => {
      if (isRead) return
      file?.stream.resume()
      await inTime(end).catch(() => {})
    },
    close: () => {
      detach()
      stopCounting()
      endExemption()
    },
  }
}

/** The parts of a form as they arrive: the fields before the file, the file (null if there is none), and the end. */
function readParts(parser: ReturnType<typeof openParser>, fail: (error: ApiError) => void) {
  const form = new URLSearchParams()
  const atFile = Promise.withResolvers<ArrivingFile | null>()
  const end = Promise.withResolvers<void>()
  let hasFile = false
  parser.on('field', (name, value, _isNameCut, isCut) => {
    if (isCut) fail(new ApiError('payload_too_large'))
    else if (value.includes('\0')) fail(invalid(name, `${name} contains characters that are not text.`))
    // Fields after the file are ignored: they could not have been checked before it.
    else if (!hasFile) form.append(name, value)
  })
  parser.on('file', (_field, stream, name) => {
    hasFile = true
    stream.on('error', () => {})
    stream.on('limit', () => fail(new ApiError('payload_too_large')))
    // Until it is read, it fills only a small buffer.
    atFile.resolve({ name: cleanName(name), stream })
  })
  for (const limit of ['filesLimit', 'partsLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => fail(new ApiError('payload_too_large')))
  parser.on('error', () => fail(incomplete()))
  parser.on('finish', () => {
    atFile.resolve(null)
    end.resolve()
  })
  return { form, atFile: atFile.promise, end: end.promise }
}

/** Counts the bytes that have arrived. `beginning` resolves after the first `firstBytes`, or at the end of a shorter body. */
function countBytes(body: Readable, firstBytes: number) {
  const beginning = Promise.withResolvers<void>()
  let arrived = 0
  const count = (piece: Buffer): void => {
    arrived += piece.length
    if (arrived >= firstBytes) beginning.resolve()
  }
  body.on('data', count)
  body.on('end', beginning.resolve)
  return { arrived: () => arrived, beginning: beginning.promise, stopCounting: () => body.off('data', count) }
}

/** Limits the pauses between bytes, and the total time. Waits for a slot do not count. @returns a function that ends the limit */
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

type ArrivingFile = { name: string; stream: BusboyFileStream }

function openParser(headers: FastifyRequest['headers'], maxBytes: number) {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      // A file without a slot keeps only its first bytes.
      fileHwm: uploadBudgets.firstBytes,
      limits: {
        files: 1,
        fileSize: maxBytes,
        fields: uploadBudgets.fields,
        fieldSize: uploadBudgets.fieldBytes,
        parts: 1 + uploadBudgets.fields,
        headerPairs: 20,
        headerSize: 4_096,
      },
    })
  } catch (error) {
    throw invalid('body', `The form cannot be read: ${error instanceof Error ? error.message : ''}`)
  }
}

/**
 * Collects a file in one piece of memory: keeping its parts and joining them would take twice as much.
 * @returns a function to call once the file has arrived. It returns null for an empty field, which browsers send too.
 */
function collect({ name, stream }: ArrivingFile, max: number): () => UploadedFile | null {
  const bytes = Buffer.allocUnsafeSlow(max)
  let length = 0
  stream.on('data', (piece: Buffer) => void (length += piece.copy(bytes, length)))
  return () => (length > 0 || name !== '' ? { name, bytes: bytes.subarray(0, length) } : null)
}

/** For display: in one line, and short. */
function cleanName(name: string | undefined): string {
  return (name ?? '')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .toWellFormed()
    .slice(0, maxNameLength)
}

function incomplete(): ApiError {
  return invalid('body', 'The form did not arrive completely.')
}
