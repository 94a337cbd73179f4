/** `agency export` and `agency import`: move an agency to another installation. */
import { resolve } from 'node:path'
import { openStorage } from '../../../listings/photos/storage.ts'
import { databaseClock } from '../../../platform/time/clock.ts'
import { exportAgency } from '../../transfer/export.ts'
import { importAgency } from '../../transfer/import.ts'
import { auditCommand, onDatabase, type Open, readingDatabase } from '../open.ts'
import { shown } from '../output.ts'

const exporting = readingDatabase(async (input, open) => {
  const [slug = ''] = input.positionals
  const { listings, photos } = await withStorage(open, (storage) =>
    exportAgency({ db: open.db, storage }, slug, resolve(input.text('to')), open.note),
  )
  return shown({ agency: slug, listings, photos })
})

const importing = onDatabase(async (input, open) => {
  const directory = resolve(input.positionals[0] ?? '')
  const done = await withStorage(open, (storage) =>
    importAgency(
      { db: open.db, storage, clock: databaseClock },
      directory,
      input.optional('slug'),
      (tx, agencyId, slug) => auditCommand(tx, 'agency_imported', agencyId, slug),
    ),
  )
  return shown(done)
})

async function withStorage<T>(
  { config }: Open,
  work: (storage: Awaited<ReturnType<typeof openStorage>>) => Promise<T>,
): Promise<T> {
  const storage = await openStorage(config)
  try {
    return await work(storage)
  } finally {
    storage.close()
  }
}

export { exporting as export, importing as import }
