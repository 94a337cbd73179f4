/** What the first process and those that serve tell each other. */
import type { ClientConfig } from 'pg'
import type { ProcessFigures } from '../metrics/together.ts'

export type Begin = {
  order: 'begin'
  /** The embedded database's, which only the first process starts; null: that of the settings. */
  connection: ClientConfig | null
  /** Connections of a process at most. */
  poolSize: number
}

export type Order =
  | Begin
  /** Finish what runs and end. */
  | { order: 'leave' }
  | { order: 'count'; question: number }

/** The figures of one process, as its registry gives them; none where nobody watches. */
export type Figures = ProcessFigures

export type News =
  /** Ready to be told what to do. */
  | { news: 'loaded' }
  | { news: 'listening' }
  | { news: 'failed'; code?: string; errno?: number; syscall?: string; message: string; isSetting: boolean }
  /** Question 0: the last, unasked. */
  | { news: 'counted'; question: number; figures: Figures }

export type NewsOf<Name extends News['news']> = Extract<News, { news: Name }>
