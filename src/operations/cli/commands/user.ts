/** `user …`: creates accounts for the dashboard, such as the first operator. Later ones are invited there. */
import { inTransaction } from '../../../platform/db/statements/transaction.ts'
import {
  type Account,
  createAccount,
  findAccountByEmail,
  type Role,
} from '../../../access/accounts/accounts.ts'
import { linkUrl, makeLink } from '../../../access/accounts/mails/links.ts'
import { databaseClock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/db/statements/connection.ts'
import { ApiError } from '../../../platform/errors/errors.ts'
import { CommandError, type Input } from '../command.ts'
import { getNamedAgency, auditCommand, onDatabase } from '../open.ts'
import { fields } from '../output.ts'

export const create = onDatabase(async (input, { db, config }) => {
  const role = readRole(input)
  const slug = input.optional('agency')
  const agency = slug === null ? null : await getNamedAgency(db, slug)
  return await inTransaction(db, async (tx) => {
    const account = await createAccount(
      tx,
      { email: input.text('email'), agencyId: agency?.id ?? null, role, name: input.optional('name') },
      databaseClock,
    )
    return await withLink(tx, account, 'invitation', config.publicBaseUrl)
  })
})

export const link = onDatabase(async (input, { db, config }) =>
  inTransaction(db, async (tx) => {
    const account = await findAccountByEmail(tx, input.text('email'))
    if (account === null)
      throw new ApiError('not_found', {
        message: `No account has the email "${input.text('email')}".`,
      })
    return await withLink(tx, account, 'reset', config.publicBaseUrl)
  }),
)

/** @throws CommandError */
function readRole(input: Input): Role {
  const isOperator = input.isSet('operator')
  if (isOperator === (input.optional('agency') !== null))
    throw new CommandError('Give either --agency SLUG or --operator.')
  const role = input.optional('role')
  if (isOperator && role !== null) throw new CommandError('--role can be used only with --agency.')
  if (isOperator) return 'operator'
  return (role ?? 'owner') as Role
}

async function withLink(tx: Tx, account: Account, purpose: 'invitation' | 'reset', publicBaseUrl: string) {
  const url = linkUrl(publicBaseUrl, await makeLink(tx, account.id, purpose, databaseClock))
  const action = purpose === 'invitation' ? 'person_invited' : 'person_link_made'
  await auditCommand(tx, action, account.agency_id, account.email)
  const shown = fields([
    ['email', account.email],
    ['role', account.role],
    ['set password', url],
  ])
  return { json: { email: account.email, password_setup_url: url }, text: shown }
}
