/**
 * The application with a step that can fail in front of everything outside the process: PostgreSQL, the photo storage, the sources of
 * photos and the geocoder. Tests prepare and inspect through a first instance, which has no faults.
 */
import { type Geocoder, type GeocodingResult } from '../../src/listings/geocoding/geocoder.ts'
import { PhotoFailure } from '../../src/listings/photos/failure.ts'
import type { PhotoStorage } from '../../src/listings/photos/storage.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { geocoderOf } from '../support/geocoder.ts'
import { type SecondApp, secondApp } from '../support/second-app.ts'
import { type StepProxy, stepProxy } from './step-proxy.ts'
import { newSteps, type Steps } from './steps.ts'

export type FaultyApp = {
  /** The instance without faults. */
  t: TestApp
  /** The instance whose steps fail. */
  faulty: SecondApp
  steps: Steps
  proxy: StepProxy
  close(): Promise<void>
}

export async function faultyApp(): Promise<FaultyApp> {
  await using opening = new AsyncDisposableStack()
  const steps = newSteps()
  const t = opening.adopt(await testApp({ geocoder: geocoder(steps) }), (app) => app.close())
  const { photos } = t.deps
  photos.storage = storageWithSteps(photos.storage, steps)
  const { download } = photos
  photos.download = async (url, ...more) => {
    if (steps.take('download') !== null) throw new PhotoFailure('The source could not be reached.')
    return await download(url, ...more)
  }
  let proxy: StepProxy | undefined
  const by = async (connection: Parameters<typeof stepProxy>[0]) => {
    proxy = opening.adopt(await stepProxy(connection, steps), (open) => open.close())
    return proxy.connection
  }
  const faulty = opening.adopt(await secondApp(t, by), (app) => app.close())
  if (proxy === undefined) throw new Error('the second instance has no proxy')
  const open = opening.move()
  return { t, faulty, steps, proxy, close: () => open.disposeAsync() }
}

function storageWithSteps(storage: PhotoStorage, steps: Steps): PhotoStorage {
  return {
    put: (key, bytes) => steps.run('store file', () => storage.put(key, bytes)),
    openRead: (key) => steps.run('open file', () => storage.openRead(key)),
    read: (key) => steps.run('read file', () => storage.read(key)),
    removePhoto: (agencyId, photo) => steps.run('delete files', () => storage.removePhoto(agencyId, photo)),
    close: () => storage.close(),
  }
}

/** A geocoder never rejects: when a step fails, it reports that its service is unavailable. */
function geocoder(steps: Steps): Geocoder {
  return geocoderOf(async (): Promise<GeocodingResult> => {
    if (steps.take('geocode') !== null) return { status: 'unavailable' }
    return { status: 'found', pin: { lat: -34.921, lng: -57.954, status: 'resolved' } }
  })
}
