/** SECRET_KEY is changed under signed load, one instance at a time: no request is rejected, and the old key then decrypts nothing. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { openSecretBox } from '../../src/access/secrets/secret-box.ts'
import { checkStoredSecrets } from '../../src/access/secrets/stored-secrets.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { sendWire, signedHeaders, type Wire } from '../../test/http/admission/signed-requests.ts'
import { startPair } from './pair.ts'
import { ownPostgres } from '../support/postgres.ts'
import { roundRobin } from '../support/round-robin.ts'
import { newDataDir } from '../support/service.ts'

const oldKey = 'the first key of the instances'
const newKey = 'the key that takes its place'
const clients = 4

type Signer = { key: string; signing_secret: string }

test('changing the secret key refuses no signed request', async (context) => {
  const postgres = await ownPostgres()
  const dataDir = newDataDir()
  const instances = await startPair({ DATA_DIR: dataDir, DATABASE_URL: postgres.url }, { SECRET_KEY: oldKey })
  const balancer = await roundRobin(instances.urls, { retries: true })
  const db = openDatabase({ connection: postgres.connection, poolSize: 1, namedStatements: false })
  try {
    await instances.first().newAgency('signing')
    const signers: Signer[] = []
    while (signers.length < clients)
      signers.push(
        (await instances
          .first()
          .svc(
            ...`key create --agency signing --name ${randomUUID()} --scope properties:write --signature-required`.split(
              ' ',
            ),
          )) as Signer,
      )

    let isOver = false
    let responses = 0
    const rejected: string[] = []
    const load = signers.map(async (signer) => {
      for (let turn = 0, at = Date.now(); !isOver; turn += 1) {
        at = Math.max(at + 1, Date.now())
        const wire: Wire =
          turn % 2 === 0
            ? { method: 'GET', path: '/api/v1/me' }
            : { method: 'POST', path: '/api/v1/properties', body: JSON.stringify({ title: randomUUID() }) }
        const headers = signedHeaders(signer.signing_secret, String(at), wire)
        const { status, code } = await sendWire(balancer.url, signer.key, wire, headers)
        responses += 1
        if (status >= 300) rejected.push(`${status} ${code}`)
      }
    })
    await instances.restart({ SECRET_KEY: oldKey, SECRET_KEY_PREVIOUS: newKey })
    await instances.restart({ SECRET_KEY: newKey, SECRET_KEY_PREVIOUS: oldKey })
    // The signing secrets, and the service's own secret.
    assert.deepEqual(await instances.first().svc('secrets', 'rotate'), { resealed: clients + 1, left: 0 })
    await instances.restart({ SECRET_KEY: newKey })
    isOver = true
    await Promise.all(load)

    assert.deepEqual([rejected, balancer.lost], [[], []])
    const stored = clients + 1
    assert.deepEqual(await checkStoredSecrets(db, openSecretBox(oldKey)), { stored, unreadable: stored })
    assert.deepEqual(await checkStoredSecrets(db, openSecretBox(newKey)), { stored, unreadable: 0 })
    context.diagnostic(`${responses} signed requests during six restarts, ${balancer.retried()} sent again`)
  } finally {
    await balancer.close()
    await db.destroy()
    await instances.end()
    await postgres.end()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
