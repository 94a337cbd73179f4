/**
 * Forms with files: what is parsed before the form is checked, the limits of each part, slots, and senders that stop, leave or are slow.
 */
import assert from 'node:assert/strict'
import { type ClientRequest, request } from 'node:http'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { openUpload, type Upload } from '../../../../src/pages/dashboard/forms/multipart.ts'
import { openUploadSlots } from '../../../../src/pages/dashboard/forms/upload-slots.ts'
import { toApiError } from '../../../../src/http/responses/error-handler.ts'
import { respondToClientError } from '../../../../src/http/connections/client-errors.ts'
import { standardHeaders } from '../../../../src/http/responses/standard-headers.ts'
import { readConfig } from '../../../../src/platform/config/config.ts'
import { countWireLength } from '../../../../src/http/connections/wire-length.ts'
import { uploadBudgets } from '../../../../src/limits/sizes.ts'
import { ApiError } from '../../../../src/platform/errors/errors.ts'
import { rawRequest, sendLines } from '../../../support/network/raw-http.ts'

const slots = { slots: 2, slotsEach: 1, patienceSeconds: 0.001, graceSeconds: 0 }
const here = { maxBytes: 100_000, slots: openUploadSlots(slots), idleMs: 10_000 }
/** The server's handling of an upload. */
let handle: (upload: Upload, request: FastifyRequest) => Promise<unknown>

let app: FastifyInstance
let baseUrl: string
before(async () => {
  const headers = standardHeaders(readConfig({}))
  app = fastify({
    bodyLimit: 65_536,
    http: { connectionsCheckingInterval: 20 },
    clientErrorHandler: (error, socket) =>
      respondToClientError(error, socket as never, headers, () => new ApiError('not_found')),
  })
  countWireLength(app)
  app.addContentTypeParser('multipart/form-data', (_request, body, done) => done(null, body))
  app.setErrorHandler((error, _request, reply) => {
    const { status, code } = toApiError(error)
    return reply.code(status).send({ code })
  })
  app.post('/', async (incoming) => {
    const upload = await openUpload(incoming, here)
    assert.ok(upload)
    try {
      return await handle(upload, incoming)
    } finally {
      await upload.drop()
      upload.close()
    }
  })
  baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
})
after(() => app.close())
const shown = (one: { name: string; bytes: Buffer } | null) => one && [one.name, one.bytes.length]
const receiving = async (upload: Upload) => ({
  form: [...upload.form],
  file: await upload.receive('a', async (one) => shown(one)),
})
afterEach(() => void (handle = receiving))
handle = receiving

const file = (bytes: number, name = 'a.jpg') => new File([Buffer.alloc(bytes, 1)], name)
function formOf(...parts: readonly (readonly [string, string | File])[]): FormData {
  const form = new FormData()
  for (const [name, value] of parts) form.append(name, value)
  return form
}
async function send(form: FormData): Promise<{ status: number; body: unknown }> {
  const response = await fetch(baseUrl, { method: 'POST', body: form })
  return { status: response.status, body: await response.json() }
}

const boundary = 'xBOUNDARYx'
const field = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const fileHead = (name: string, filename: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: image/jpeg\r\n\r\n`
const closing = `\r\n--${boundary}--\r\n`
const type = `multipart/form-data; boundary=${boundary}`
const sendText = (body: string) =>
  rawRequest(baseUrl, {
    method: 'POST',
    path: '/',
    headers: { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) },
    body,
  })

/** An upload that the test finishes, or never does. */
function begin(beginning: string, length: number): ClientRequest {
  const { hostname, port } = new URL(baseUrl)
  const sent = request({
    host: hostname,
    port,
    method: 'POST',
    path: '/',
    headers: { 'content-type': type, 'content-length': String(length) },
    agent: false,
  })
  sent.on('error', () => {})
  sent.write(beginning)
  return sent
}

describe('a form with files', () => {
  test('yields the fields before the file, and the file', async () => {
    const form = formOf(['a', '1'], ['a', 'ñ'], ['photo', file(100_000, 'ñandú.png')], ['late', 'x'])
    assert.deepEqual(await send(form), {
      status: 200,
      body: {
        form: [
          ['a', '1'],
          ['a', 'ñ'],
        ],
        file: ['ñandú.png', 100_000],
      },
    })
  })
  test('keeps the bytes unchanged', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 251))
    let received: Buffer | undefined
    handle = (upload) => upload.receive('a', async (one) => void (received = one?.bytes))
    await fetch(baseUrl, { method: 'POST', body: formOf(['photo', new File([bytes], 'a')]) })
    assert.ok(received?.equals(bytes))
  })
  test('has no file for an empty field', async () => {
    const body = `${field('a', '1')}${fileHead('photo', '')}${closing}`
    const response = await sendText(body)
    assert.deepEqual(JSON.parse(response.text), { form: [['a', '1']], file: null })
  })
  test('gets file names on one line, without folders or characters that change the text’s direction', async () => {
    for (const [sent, kept] of [
      ['../../etc/passwd', 'passwd'],
      ['C:\\photos\\a.jpg', 'a.jpg'],
      ['<b>a</b>.jpg', 'b>.jpg'],
      ['a\u202egpj.exe', 'agpj.exe'],
      ['x'.repeat(300), 'x'.repeat(200)],
    ] as const) {
      const { body } = await send(formOf(['photo', file(1, sent)]))
      assert.deepEqual((body as { file: unknown[] }).file[0], kept)
    }
  })
})

describe('before a file is stored', () => {
  test('the form can be refused, and its sender gets the response even though everything was sent', async () => {
    handle = async () => {
      throw new ApiError('forbidden')
    }
    const form = formOf(['photo', file(100_000)], ['_csrf', 'late'])
    assert.deepEqual(await send(form), { status: 403, body: { code: 'forbidden' } })
  })
  test('fields after a file are ignored', async () => {
    handle = async ({ form }) => [...form]
    assert.deepEqual(await send(formOf(['photo', file(5)], ['_csrf', 'late'])), { status: 200, body: [] })
  })
})

describe('an upload is refused', () => {
  for (const [what, parts, status] of [
    ['for a file that is one byte too large', [['photo', file(100_001)]], 413],
    ['for one file too many', [1, 2].map(() => ['photo', file(1)]), 413],
    ['for a field that is too long', [['a', 'x'.repeat(uploadBudgets.fieldBytes + 1)]], 413],
    ['for one field too many', Array.from({ length: uploadBudgets.fields + 1 }, () => ['a', '1']), 413],
    ['for U+0000 in a field', [['a', 'x\0']], 400],
  ] as const) {
    test(what, async () => {
      const response = await send(formOf(...(parts as [string, string | File][])))
      assert.equal(response.status, status)
    })
  }
  for (const [what, body] of [
    ['for a form without its end', `${field('a', '1')}${fileHead('photo', 'a.jpg')}xxx`],
    ['for a form that ends in a header', `${field('a', '1')}--${boundary}\r\nContent-Disp`],
    ['for another kind of body', 'a=1&b=2'],
    ['for an empty body', ''],
  ] as const) {
    test(what, async () => assert.equal((await sendText(body)).status, 400))
  }
  test('without a boundary', async () => {
    const headers = { 'content-type': 'multipart/form-data', 'content-length': '1' }
    assert.equal((await rawRequest(baseUrl, { method: 'POST', path: '/', headers, body: 'x' })).status, 400)
  })
  test('by its length, before any of it is read', async () => {
    const length = here.maxBytes + uploadBudgets.overheadBytes + 1
    const lines = ['POST / HTTP/1.1', 'Host: x', `Content-Type: ${type}`, `Content-Length: ${length}`]
    assert.match(await sendLines(baseUrl, lines), /^HTTP\/1\.1 413/)
  })
  test('in chunks, without a length, beyond the limit of a form without files', async () => {
    const body = `${fileHead('photo', 'a.jpg')}${'x'.repeat(90_000)}${closing}`
    const response = await rawRequest(baseUrl, {
      method: 'POST',
      path: '/',
      headers: { 'content-type': type },
      body,
    })
    assert.equal(response.status, 413)
  })
})

describe('the sender of an upload', () => {
  const beginning = `${field('a', '1')}${fileHead('photo', 'a.jpg')}xx`
  const whole = `${beginning}yy${closing}`

  test('that disconnects halfway frees the slot, and its file is not processed', async () => {
    for (let time = 0; time < 3; time += 1) {
      const failed = Promise.withResolvers<unknown>()
      const reading = Promise.withResolvers<void>()
      handle = async (upload) => {
        const received = upload.receive('a', async () => assert.fail('it did not arrive'))
        reading.resolve()
        await received.catch(failed.resolve)
      }
      const sent = begin(beginning, whole.length)
      await reading.promise
      sent.destroy()
      assert.equal(toApiError(await failed.promise).status, 400)
    }
    handle = receiving
    assert.equal((await send(formOf(['photo', file(1)]))).status, 200)
  })
  test('may take longer than other requests, as long as data arrives', async () => {
    const { headersTimeout, requestTimeout } = app.server
    const timedOut = new Promise((resolve) => app.server.once('clientError', resolve))
    handle = (upload) => {
      Object.assign(app.server, { headersTimeout: 1, requestTimeout: 1 })
      return receiving(upload)
    }
    const sent = begin(beginning, whole.length)
    const status = new Promise<number>((resolve) =>
      sent.on('response', (response) => resolve(response.statusCode ?? 0)),
    )
    await timedOut
    Object.assign(app.server, { headersTimeout, requestTimeout })
    sent.end(`yy${closing}`)
    assert.equal(await status, 200)
  })
  test('that stops gets a 408 after a while, and frees the slot', async () => {
    here.idleMs = 50
    const sent = begin(beginning, whole.length)
    const status = new Promise<number>((resolve) =>
      sent.on('response', (response) => resolve(response.statusCode ?? 0)),
    )
    assert.equal(await status, 408)
    sent.destroy()
    here.idleMs = 10_000
    assert.equal((await send(formOf(['photo', file(1)]))).status, 200)
  })
  test('that holds all slots of one agency leaves another its own', async () => {
    const isIn = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    handle = (upload) =>
      upload.receive(upload.form.get('agency') ?? '', async (one) => {
        isIn.resolve()
        if (one?.name === 'slow') await go.promise
        return { name: one?.name }
      })
    const slow = send(formOf(['agency', 'one'], ['photo', file(1, 'slow')]))
    await isIn.promise
    const next = send(formOf(['agency', 'one'], ['photo', file(1, 'next')]))
    const other = await send(formOf(['agency', 'two'], ['photo', file(1, 'other')]))
    assert.equal(other.status, 200)
    go.resolve()
    assert.deepEqual([(await slow).status, (await next).status], [200, 200])
  })

  describe('when slow', () => {
    const length = 90_000
    /** Starts an upload of the agency that stops after `bytes` bytes of its file, until `finish` is called. */
    function dawdle(agency: string, bytes: number) {
      const head = `${field('agency', agency)}${fileHead('photo', 'slow.jpg')}`
      const form = `${head}${'x'.repeat(length)}${closing}`
      const sent = begin(form.slice(0, head.length + bytes), form.length)
      const status = new Promise<number>((resolve) =>
        sent.on('response', (response) => resolve(response.statusCode ?? 0)),
      )
      return { sent, status, finish: () => void sent.end(form.slice(head.length + bytes)) }
    }
    const sendWhole = async (agency: string, name?: string) =>
      (await send(formOf(['agency', agency], ['photo', file(length, name)]))).status
    const until = async (isSo: () => boolean): Promise<void> => {
      while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
    }

    /** Agencies whose uploads were passed to their page, and those that got a slot, once for each upload. */
    let opened: string[]
    let entered: string[]
    let go: PromiseWithResolvers<void>
    const { slots: usual } = here
    beforeEach(() => {
      opened = []
      entered = []
      go = Promise.withResolvers()
      here.idleMs = 3_600_000
      here.slots = (upload, work) =>
        usual(upload, () => {
          entered.push(upload.payer)
          return work()
        })
      handle = (upload) => {
        const agency = upload.form.get('agency') ?? ''
        opened.push(agency)
        return upload.receive(agency, async (one) => {
          if (one?.name === 'working') await go.promise
          return shown(one)
        })
      }
    })
    afterEach(() => void Object.assign(here, { slots: usual, idleMs: 10_000 }))

    test('gets no slot before its first bytes arrive', async () => {
      const slow = ['one', 'two', 'three', 'four'].map((agency) => dawdle(agency, 10))
      await until(() => opened.length === slow.length)
      for (const agency of ['one', 'five']) assert.equal(await sendWhole(agency), 200)
      assert.deepEqual(entered, ['one', 'five'])
      for (const { finish } of slow) finish()
      for (const { status } of slow) assert.equal(await status, 200)
    })
    test('is cut off while others wait, unlike a sender that has sent everything', async () => {
      const working = sendWhole('working', 'working')
      const slow = dawdle('slow', uploadBudgets.firstBytes)
      await until(() => entered.length === 2)
      assert.equal(await sendWhole('waits'), 200)
      assert.equal(await slow.status, 408)
      go.resolve()
      assert.equal(await working, 200)
    })
    test('may continue while the only waiting uploads are blocked by their own agency', async () => {
      const working = sendWhole('two', 'working')
      const slow = dawdle('one', uploadBudgets.firstBytes)
      await until(() => entered.length === 2)
      const waiting = ['one', 'two'].map((agency) => sendWhole(agency))
      await until(() => opened.length === 4)
      slow.finish()
      assert.equal(await slow.status, 200)
      go.resolve()
      assert.deepEqual([await working, ...(await Promise.all(waiting))], [200, 200, 200])
    })
  })
})
