/** `secrets rotate`: moves the stored secrets to a new SECRET_KEY. */
import { openSecretBox } from '../../access/secrets/secret-box.ts'
import { loadSecretKeys } from '../../access/secrets/secret-keys.ts'
import { replaceLostSecret } from '../../access/secrets/service-secrets.ts'
import { resealAll } from '../../access/secrets/stored-secrets.ts'
import { firstPlaceSecret, placeSecretName } from '../../listings/geocoding/rough-place.ts'
import type { Output } from './command.ts'
import { noteHere, onDatabase } from './open.ts'

export const rotate = onDatabase(async (input, { db, config }): Promise<Output> => {
  const { current, previous } = await loadSecretKeys(config)
  const secretBox = openSecretBox(current, previous)
  if (input.isSet('lost')) await replaceLostSecret(db, secretBox, placeSecretName, firstPlaceSecret(current))
  const { resealed, needPrevious, unreadable } = await resealAll(db, secretBox)
  await noteHere(db, 'secrets_resealed', null, 'SECRET_KEY', { resealed, needPrevious, unreadable })
  const problems = [
    ...(needPrevious === 0
      ? []
      : [
          `${needPrevious} need SECRET_KEY_PREVIOUS: a process still encrypts with it. Give every server and worker the new SECRET_KEY, then run this again.`,
        ]),
    ...(unreadable === 0 ? [] : [`${unreadable} cannot be decrypted: they were encrypted with another key.`]),
  ]
  const next =
    needPrevious > 0
      ? 'Keep SECRET_KEY_PREVIOUS.'
      : 'SECRET_KEY_PREVIOUS is not needed any more for what is stored. Without it, the unsubscribe links in older mails no longer work.'
  return {
    json: { resealed, left: needPrevious + unreadable },
    text: `Encrypted with SECRET_KEY now: ${resealed}.\n${next}`,
    ...(problems.length === 0 ? {} : { failure: problems.join(' ') }),
  }
})
