/** Messages between the first process and the serving processes. */
import type { ClientConfig } from 'pg'
import type { ProcessFigures } from '../metrics/together.ts'

export type Begin = {
  order: 'begin'
  /** The embedded database's connection; null to use DATABASE_URL. */
  connection: ClientConfig | null
  poolSize: number
}

export type Order =
  | Begin
  /** End gracefully. */
  | { order: 'leave' }
  | { order: 'count'; question: number }

/** One process's metrics; empty without METRICS_PORT. */
export type Figures = ProcessFigures

export type News =
  /** Ready for messages. */
  | { news: 'loaded' }
  | { news: 'listening' }
  | { news: 'failed'; code?: string; errno?: number; syscall?: string; message: string; isSetting: boolean }
  /** `question` 0 marks the last figures, sent without a question. */
  | { news: 'counted'; question: number; figures: Figures }

export type NewsOf<Name extends News['news']> = Extract<News, { news: Name }>
