/** A person's data: exported whole and without secrets, and erased from every table, after which every page still works. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { generateSync } from 'otplib'
import { createAccount, findAccountByEmail } from '../../../../src/access/accounts/accounts.ts'
import { makeLink } from '../../../../src/access/accounts/mails/links.ts'
import { personalData, rowsOfPeople } from '../../../../src/access/accounts/personal-data/personal-data.ts'
import { chainAudit } from '../../../../src/access/audit-log/chain.ts'
import { verifyChains } from '../../../../src/access/audit-log/verify.ts'
import { mailNotices } from '../../../../src/delivery/mails/notice-mails.ts'
import type { Mail } from '../../../../src/delivery/mails/mailer.ts'
import { createTwin } from '../../../../src/agencies/twins.ts'
import { inTransaction } from '../../../../src/platform/db/statements/transaction.ts'
import { uuidv7 } from '../../../../src/platform/names/ids.ts'
import { publishable, testApp, type TestApp } from '../../../support/app/app.ts'
import { databaseUrl } from '../../../support/database/database.ts'
import { draft } from '../../../support/app/listings.ts'
import { password } from '../../../support/app/people.ts'
import { signedIn, visitor } from '../../../pages/dashboard/visitor.ts'
import { workSource } from '../../../pages/dashboard/pages/work/work-data.ts'
import { type Svc, svcHere } from '../svc.ts'

let t: TestApp
/** An owner and an operator who stay. */
let boss: Awaited<ReturnType<typeof signedIn>>
let chief: Awaited<ReturnType<typeof signedIn>>
let svc: Svc
let dataDir: string
const mails: Mail[] = []
before(async () => {
  t = await testApp({ env: { GEOCODER: 'none' }, source: workSource, mailer: mails })
  dataDir = await mkdtemp(join(tmpdir(), 'svc-'))
  svc = svcHere({ DATABASE_URL: databaseUrl(t.connection), DATA_DIR: dataDir, GEOCODER: 'none' })
  boss = await signedIn(t, 'owner')
  chief = await signedIn(t, 'operator')
  await inTransaction(t.deps.db, (tx) => createTwin(tx, t.agency.id, twinId, t.clock))
})
after(async () => {
  await t.close()
  await rm(dataDir, { recursive: true })
})

const formerName = 'Zulema Quiroga'
const lastName = 'Zulema Funes'

/** The agency's test environment. */
const twinId = uuidv7()

type Made = Awaited<ReturnType<typeof makePerson>>

/** Someone who is named in every table that can name a person. */
async function makePerson(role: 'owner' | 'operator') {
  const who = await signedIn(t, role)
  const { id, email, name: firstName } = who.account
  const { db, clock, secretBox } = t.deps
  const path = role === 'owner' ? '/dashboard' : `/dashboard/operator/agencies/${t.agency.slug}`
  const listing = await draft(t, publishable({ status: 'draft' }))
  const elsewhere = { email, name: 'Zulema del Norte', agencyId: t.other.agency.id, role: 'member' } as const
  await createAccount(db, { ...elsewhere, conceals: true }, clock)
  await visitor(t).post('/dashboard/sign-in', { email, password: 'not this one' })
  await who.submit('/dashboard/account/profile', { name: formerName, language: 'es' })
  await who.post(`${path}/listings/${listing.id}/photos/urls`, {
    urls: 'https://fotos.crm.example/gone/z.jpg',
  })
  await who.submit('/dashboard/account/profile', { name: lastName, language: 'es' })
  await who.submit(`${path}/listings/${listing.id}/publish`)
  await who.post(`${path}/keys/new`, { kind: 'live', name: 'CRM', scopes: ['properties:write'] })
  const setup = '/dashboard/account/second-factor'
  const secret = (/id="totp-secret"[^>]*>([^<]+)</.exec((await who.get(setup)).text)?.[1] ?? '').replaceAll(
    /\s/g,
    '',
  )
  await who.post(setup, { code: generateSync({ secret }), current: password })
  await makeLink(db, id, 'reset', clock, secretBox.seal)
  await sql`insert into account_passkeys (id, account_id, credential_id, public_key, counter, name, created_at)
    values (gen_random_uuid(), ${id}, ${Buffer.from(id)}, '', 0, 'Llavero', now())`.execute(db)
  await sql`insert into listing_history (agency_id, property_id, revision, at, action, actor_kind, actor_id, actor_name)
    values (${twinId}, gen_random_uuid(), 1, now(), 'updated', 'person', ${id}, ${lastName})`.execute(db)
  return { who, id, email, listing, names: [firstName, formerName, lastName, elsewhere.name] }
}

/** Every row of the database, as text. */
async function dump(): Promise<string[]> {
  const { db } = t.deps
  const tables = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`.execute(db)
  const rows: string[] = []
  for (const { name } of tables.rows) {
    const found = await sql<{
      row: string
    }>`select to_jsonb(t)::text as row from ${sql.table(name)} t`.execute(db)
    rows.push(...found.rows.map(({ row }) => `${name}: ${row}`))
  }
  return rows.sort()
}

const rowsNaming = async ({ email, names }: Made): Promise<string[]> =>
  (await dump()).filter((row) => [email, ...names].some((word) => row.includes(word)))
const tableOf = (row: string): string => row.slice(0, row.indexOf(':'))

describe('an email that has no account', () => {
  for (const command of ['export', 'erase'])
    test(`is refused by ${command}`, async () => {
      const { code, stdout, stderr } = await svc(`person ${command} nobody@acme.example`)
      assert.deepEqual([code, stdout, stderr], [1, '', 'No account has the email "nobody@acme.example".\n'])
    })
})

describe('the last person with a role is not erased', () => {
  test('an owner', async () => {
    const { email, id } = (await signedIn(t, 'owner', t.other.agency.id)).account
    const earlier = await dump()
    const { code, stderr } = await svc(`person erase ${email}`)
    assert.deepEqual(
      [code, stderr],
      [1, 'This is the last person with this role. Give the role to someone else first.\n'],
    )
    assert.deepEqual(await dump(), earlier)
    assert.equal((await findAccountByEmail(t.deps.db, email))?.id, id)
  })

  test('an operator', async () => {
    assert.equal((await svc(`person erase ${chief.account.email}`)).code, 1)
  })
})

for (const role of ['owner', 'operator'] as const) {
  describe(`the data of an ${role}`, () => {
    let made: Made
    before(async () => {
      made = await makePerson(role)
      await chainAudit(t.deps.db, 1_000)
    })

    test('is in every table that can name a person', async () => {
      const tables = new Set((await rowsNaming(made)).map(tableOf))
      for (const [table, classes] of Object.entries(personalData))
        if ('naming' in classes) assert.ok(tables.has(table), table)
    })

    test('is exported whole, without secrets', async () => {
      const { code, stdout } = await svc(`person export ${made.email.toUpperCase()}`)
      assert.equal(code, 0)
      assert.equal((await svc(`person export ${made.email} --json`)).stdout, stdout)
      const data = JSON.parse(stdout)
      for (const { table } of rowsOfPeople) {
        const name = table.replace(/^account_/, '')
        assert.ok(data[name].length > 0, name)
      }
      const [account, invitation] = data.accounts
      assert.deepEqual([account.id, account.name, invitation.elsewhere], [made.id, lastName, true])
      assert.deepEqual([data.sessions[0].address, data.networks[0].network], ['127.0.0.1', '127.0.0.1'])
      const {
        audit_log: log,
        listing_history: history,
        photo_sources: photos,
        account_notices: notices,
      } = data.named
      const actions = log.map(({ action }: { action: string }) => action)
      for (const action of ['signed_in', 'sign_in_failed', 'profile_changed', 'key_created', 'factor_added'])
        assert.ok(actions.includes(action), action)
      assert.deepEqual(
        history.map(({ agency, id, action, name }: Record<string, string>) => [agency, id, action, name]),
        [[t.agency.slug, made.listing.id, 'published', lastName]],
      )
      assert.deepEqual([photos.length, notices.length > 0], [1, true])
      assert.doesNotMatch(stdout, /"\w*(hash|secret|token)\w*":|\$argon2id/)
    })

    test('is erased from every table, and ends the sessions', async () => {
      const { code, stdout, stderr } = await svc(`person erase ${made.email} --json`)
      assert.deepEqual([code, stderr], [0, ''])
      const { id, histories, audit } = JSON.parse(stdout)
      assert.deepEqual([id, histories, audit > 5], [made.id, 2, true])
      assert.deepEqual(await rowsNaming(made), [])
      assert.match((await made.who.get('/dashboard')).to ?? '', /^\/dashboard\/sign-in/)
      assert.notEqual(
        (await visitor(t).post('/dashboard/sign-in', { email: made.email, password })).status,
        303,
      )
      assert.equal((await svc(`person erase ${made.email}`)).code, 1)
    })

    test('leaves chains that match', async () => {
      for (const { mismatch, missing, erased } of await verifyChains(t.deps.db, t.clock))
        assert.deepEqual([mismatch, missing, erased > 0], [null, [], true])
    })

    test('leaves an entry about the erasure, with the id only', async () => {
      const entries = await t.deps.db
        .selectFrom('audit_log')
        .select(['subject', 'agency_id', 'details'])
        .where('action', '=', 'person_erased')
        .where('subject', '=', made.id)
        .execute()
      const agencyId = role === 'operator' ? null : t.agency.id
      assert.deepEqual(entries, [{ subject: made.id, agency_id: agencyId, details: {} }])
    })

    test('leaves pages, the command line and mails that say so', async () => {
      const author = role === 'owner' ? 'Persona eliminada' : 'operador (Persona eliminada)'
      const page = await boss.get(`/dashboard/listings/${made.listing.id}`)
      assert.equal(page.words.split(author).length - 1, 2, 'in the history, and beside the failed photo')
      for (const who of [boss, chief]) {
        const path = who === boss ? '/dashboard' : '/dashboard/operator'
        for (const view of ['acts', 'sign-ins']) {
          const log = await who.get(`${path}/audit?view=${view}`)
          assert.equal(log.status, 200)
          if (who === chief) assert.match(log.words, /Persona eliminada/)
        }
        assert.equal((await who.get(`${path}/audit.csv`)).status, 200)
      }
      const history = await svc(`listing history --agency ${t.agency.slug} --id ${made.listing.id}`)
      assert.match(
        history.stdout,
        new RegExp(`published +erased person \\(${role === 'owner' ? 'person' : role}\\)`),
      )
      mails.length = 0
      while ((await mailNotices(t.deps, 100)) > 0);
      const mail = mails.findLast(({ to }) => to === boss.account.email)
      assert.match(mail?.text ?? '', /, alguien cuya cuenta se eliminó creó la clave «CRM»/)
    })
  })
}
