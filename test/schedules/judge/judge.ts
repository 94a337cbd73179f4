/** Judges a history by what the API promises, from what was seen outside the service, and from the history of its listings. */
import type { History } from '../history.ts'
import { judgeEffects } from './effects.ts'
import { judgeReads } from './reads.ts'
import { type Problem, timelineOf } from './timeline.ts'
import { judgeWrites } from './writes.ts'

export function judge(history: History): Problem[] {
  const timeline = timelineOf(history.versions)
  return [
    ...judgeWrites(history, timeline),
    ...judgeReads(history, timeline),
    ...judgeEffects(history, timeline),
  ]
}
