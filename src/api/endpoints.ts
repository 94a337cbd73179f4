/** The table of endpoints (api.md 15.1). Routing, validation, 405 responses, the OpenAPI document and the common tests follow from it. */
import type { Endpoint } from '../http/endpoint.ts'
import { addPhotos } from './photos/add-photos.ts'
import { batchProperties } from './batch/batch-properties.ts'
import { createProperty } from './properties/create-property.ts'
import { deleteProperty } from './properties/delete-property.ts'
import { disableProperty } from './properties/disable-property.ts'
import { enableProperty } from './properties/enable-property.ts'
import { geocode } from './geocode.ts'
import { getProperty, getPropertyByExternalId } from './properties/get-property.ts'
import { health } from './service/health.ts'
import { listChanges } from './changes/list-changes.ts'
import { listProperties } from './properties/list-properties.ts'
import { me } from './service/me.ts'
import { openApiDocument } from './service/openapi-document.ts'
import { patchProperty } from './properties/patch-property.ts'
import { putProperty } from './properties/put-property.ts'
import { root } from './service/root.ts'
import { setPhotos } from './photos/set-photos.ts'

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
