/**
 * Finding an address on the map (spec 'Address handling'). The providers are chosen here; what none can place is stored
 * without a pin, because coordinates are never invented.
 */

export type Place = { address: string; city: string | null; province: string | null }
export type Pin = { lat: number; lng: number; status: 'resolved' | 'approximate' }

/** @returns where the address is, or null when it could not be placed, for whatever reason */
export type Geocoder = (place: Place) => Promise<Pin | null>

/** Places nothing: for operators who want no address to leave the house. */
export const noGeocoder: Geocoder = async () => null
