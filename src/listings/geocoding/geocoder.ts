/**
 * The interface of a geocoder (api.md 12.1): it returns the coordinates of a postal address, or none. It never invents coordinates, and
 * never fails a write.
 */

/** As the agency wrote it. */
export type PostalAddress = { address: string; city: string | null; province: string | null }

/** A pin: the point of the map where a listing is, in degrees. `resolved`: its street number was found; `approximate`: only its street. */
export type Pin = { lat: number; lng: number; status: 'resolved' | 'approximate' }

/** `none`: the address is unknown. `unavailable`: the service is unreachable; a later retry may help. */
export type GeocodingResult = { status: 'found'; pin: Pin } | { status: 'none' } | { status: 'unavailable' }

type FindOptions = {
  /** After this time the result is `unavailable`, in milliseconds. The default suits a write; a job has longer. */
  patienceMs?: number
}

export type Geocoder = {
  /** Never rejects. */
  find(address: PostalAddress, options?: FindOptions): Promise<GeocodingResult>
  /** In as few requests as the service allows. Never rejects. */
  findMany(addresses: readonly PostalAddress[], options?: FindOptions): Promise<GeocodingResult[]>
  /** False while the service is known to be down, and where there is none. */
  isReady(): boolean
  /** Aborts running lookups; their result is `unavailable`. */
  close(): Promise<void>
}

/** Finds nothing: for operators who let no address leave the service. */
export const noGeocoder: Geocoder = {
  find: async () => ({ status: 'none' }),
  findMany: async (addresses) => addresses.map(() => ({ status: 'none' })),
  isReady: () => false,
  close: async () => {},
}
