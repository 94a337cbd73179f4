/** Messages between the first process and those that serve. */
import type { ClientConfig } from 'pg'
import type { ProcessFigures } from '../metrics/together.ts'

export type Begin = {
  order: 'begin'
  /** Of the embedded database, which the first process starts; null: that of the settings. */
  connection: ClientConfig | null
  poolSize: number
}

export type Order =
  | Begin
  /** End gracefully. */
  | { order: 'leave' }
  | { order: 'count'; question: number }

/** Of one process, from its registry; empty without METRICS_PORT. */
export type Figures = ProcessFigures

export type News =
  /** Ready for orders. */
  | { news: 'loaded' }
  | { news: 'listening' }
  | { news: 'failed'; code?: string; errno?: number; syscall?: string; message: string; isSetting: boolean }
  /** Question 0: the last figures, unasked. */
  | { news: 'counted'; question: number; figures: Figures }

export type NewsOf<Name extends News['news']> = Extract<News, { news: Name }>
