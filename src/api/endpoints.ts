/** The table of endpoints (api.md 15.1). Routing, validation, 405 responses, the OpenAPI document and the common tests follow from it. */
import type { Endpoint } from '../http/endpoint.ts'
import { addPhotos } from './add-photos.ts'
import { batchProperties } from './batch-properties.ts'
import { createProperty } from './create-property.ts'
import { deleteProperty } from './delete-property.ts'
import { disableProperty } from './disable-property.ts'
import { enableProperty } from './enable-property.ts'
import { geocode } from './geocode.ts'
import { getProperty, getPropertyByExternalId } from './get-property.ts'
import { health } from './health.ts'
import { listChanges } from './list-changes.ts'
import { listProperties } from './list-properties.ts'
import { me } from './me.ts'
import { openApiDocument } from './openapi-document.ts'
import { patchProperty } from './patch-property.ts'
import { putProperty } from './put-property.ts'
import { root } from './root.ts'
import { setPhotos } from './set-photos.ts'

export const endpoints: readonly Endpoint[] = [
  root,
  health,
  openApiDocument(() => endpoints),
  me,
  listProperties,
  createProperty,
  batchProperties,
  getPropertyByExternalId,
  putProperty,
  getProperty,
  patchProperty,
  deleteProperty,
  disableProperty,
  enableProperty,
  addPhotos,
  setPhotos,
  geocode,
  listChanges,
]
