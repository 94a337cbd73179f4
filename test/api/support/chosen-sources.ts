/** Requests that set photos, and sources whose pictures tests choose. */
import { randomUUID } from 'node:crypto'
import { PhotoFailure } from '../../../src/listings/photos/failure.ts'
import type { PhotoDownloader } from '../../../src/listings/photos/download.ts'
import { type ApiResponse, picture, type TestApp } from '../../support/app/app.ts'

type Result = {
  url: string
  status: string
  position: number | null
  stored_url: string | null
  error: string | null
}

/** The verdicts and counts of a response. */
export const outcomesOf = (response: ApiResponse) =>
  response.body as unknown as { photos: Result[]; meta: Record<string, number> }

export const setPhotos = (t: TestApp, id: string, body: unknown, ask: object = {}) =>
  t.ask('PUT', `/properties/${id}/photos`, { body, ...ask })

/** Sources of a single listing: `source('a')` is `https://photos.example/<uuid>/a.jpg` and shows a picture named `a`. */
export const sources = () => {
  const folder = randomUUID()
  return (name: string) => `https://photos.example/${folder}/${name}.jpg`
}

/** The name of a source. */
export const nameOf = (url: string) => /\/([^/]*)\.jpg/.exec(url)?.[1] ?? url

type Sources = {
  source: PhotoDownloader
  /** URLs that were downloaded, in order. */
  fetched: string[]
  /** Overrides the picture at a URL, which by default is that of its name. Null: it fails. */
  shows: Map<string, string | null>
}

/** Sources for one application. */
export function chosenSources(): Sources {
  const fetched: string[] = []
  const shows = new Map<string, string | null>()
  const source: PhotoDownloader = async (url) => {
    fetched.push(url)
    const name = shows.get(url)
    if (name === null) throw new PhotoFailure('The source answered 404.')
    return picture(name ?? nameOf(url))
  }
  return { source, fetched, shows }
}
