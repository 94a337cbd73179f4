/** A running service, part of whose data is on a small disk that tests fill and break (small-disk.ts). */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Pictures, servePictures } from '../support/pictures.ts'
import { newDataDir, newService, type Service } from '../support/service.ts'
import { type SmallDisk, smallDisk } from './small-disk.ts'

type ServiceOnSmallDisk = {
  dataDir: string
  disk: SmallDisk
  pictures: Pictures
  service: Service
  agency: { id: string; key: string }
  end(): Promise<void>
}

/** @param folder the disk's place in the data directory; '' for all of it */
export async function serviceOnSmallDisk(
  folder: string,
  size: Parameters<typeof smallDisk>[1],
): Promise<ServiceOnSmallDisk> {
  await using opening = new AsyncDisposableStack()
  const dataDir = opening.adopt(newDataDir(), (path) => rmSync(path, { recursive: true, force: true }))
  const disk = opening.adopt(smallDisk(join(dataDir, folder), size), (one) => one.end())
  const pictures = opening.adopt(await servePictures(), (served) => served.close())
  const settings = { ...pictures.settings, DATA_DIR: dataDir, LOG_LEVEL: 'warn' }
  const service = opening.adopt(await newService(settings), (one) => one.end())
  // The service cannot stop cleanly on a disk that is still broken.
  opening.defer(() => disk.heal())
  await service.start()
  const agency = await service.newAgency('disks')
  const opened = opening.move()
  return { dataDir, disk, pictures, service, agency, end: () => opened.disposeAsync() }
}
