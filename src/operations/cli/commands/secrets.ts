/** `secrets rotate`: moves the stored secrets to a new SECRET_KEY. */
import { openSecretBox } from '../../../access/secrets/secret-box.ts'
import { loadSecretKeys } from '../../../access/secrets/secret-keys.ts'
import { replaceLostSecret } from '../../../access/secrets/service-secrets.ts'
import { resealAll } from '../../../access/secrets/stored-secrets.ts'
import { firstPlaceSecret, placeSecretName } from '../../../listings/geocoding/blurred-place.ts'
import type { Output } from '../command.ts'
import { auditCommand, onDatabase } from '../open.ts'

const renewed = 'The service has replaced its own secrets. Restart its servers and workers.'

export const rotate = onDatabase(async (input, { db, config }): Promise<Output> => {
  const { current, previous } = await loadSecretKeys(config)
  const secretBox = openSecretBox(current, previous)
  const isRenewed =
    input.isSet('lost') &&
    (await replaceLostSecret(db, secretBox, placeSecretName, firstPlaceSecret(current)))
  const { resealed, needPrevious, unreadable, unreadableKinds } = await resealAll(db, secretBox)
  await auditCommand(db, 'secrets_resealed', null, 'SECRET_KEY', { resealed, needPrevious, unreadable })
  const problems = [
    ...(needPrevious === 0
      ? []
      : [
          `${needPrevious} need SECRET_KEY_PREVIOUS: a process still encrypts with it. Give every server and worker the new SECRET_KEY, then run this again.`,
        ]),
    ...(unreadable === 0
      ? []
      : [
          `${unreadable} cannot be decrypted, because they were encrypted with another key (${unreadableKinds.join(', ')}).`,
        ]),
  ]
  const next =
    needPrevious > 0
      ? 'Keep SECRET_KEY_PREVIOUS.'
      : previous === null
        ? 'SECRET_KEY_PREVIOUS is not set, so there was nothing to encrypt again.'
        : 'No stored secret needs SECRET_KEY_PREVIOUS any longer. Without it, the unsubscribe links in older mails no longer work.'
  return {
    json: { resealed, left: needPrevious + unreadable },
    text: [
      ...(input.isSet('lost') ? [isRenewed ? renewed : 'The service can decrypt its own secrets.'] : []),
      ...(previous === null ? [] : [`Encrypted again, with SECRET_KEY: ${resealed}.`]),
      next,
    ].join('\n'),
    ...(problems.length === 0 ? {} : { failure: problems.join(' ') }),
  }
})
