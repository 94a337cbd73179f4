/** A photo storage whose operations run as steps: a test can count, fail or delay them. */
import type { PhotoStorage } from '../../../src/listings/photos/storage.ts'

type RunStep = <T>(name: string, work: () => Promise<T>) => Promise<T>

export function storageWithSteps(storage: PhotoStorage, run: RunStep): PhotoStorage {
  return {
    put: (key, bytes) => run('store file', () => storage.put(key, bytes)),
    openRead: (key) => run('open file', () => storage.openRead(key)),
    read: (key) => run('read file', () => storage.read(key)),
    removePhoto: (agencyId, photo) => run('delete files', () => storage.removePhoto(agencyId, photo)),
    close: () => storage.close(),
  }
}
