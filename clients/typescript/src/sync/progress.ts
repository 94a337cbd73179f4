/**
 * Shows progress: a bar that is redrawn on a terminal, an occasional line elsewhere.
 */
import { count, duration } from './texts.ts'

export type Terminal = { isTTY?: boolean; columns?: number; write(text: string): unknown }

type State = { done: number; total: number; failed: number; remainingMs: number | null }

type Progress = {
  show(state: State): void
  /** Shows that the run waits for limits, which open at `until`. */
  waiting(until: number, limits: readonly string[]): void
  /** Ends the line of the bar. */
  end(): void
}

/** The part of all steps that separates two lines. */
const share = 0.05

export function newProgress(terminal: Terminal): Progress {
  let last: State | null = null
  let lastLine = -1
  let lastNote = ''
  const line = (state: State, note = ''): string => {
    const { done, total, failed, remainingMs } = state
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
    const parts = [`${percent} %`, `${count(done)} of ${count(total)}`]
    if (failed > 0) parts.push(`${count(failed)} failed`)
    if (note !== '') parts.push(note)
    else if (remainingMs !== null && done < total) parts.push(`about ${duration(remainingMs)} left`)
    return parts.join(' · ')
  }
  const draw = (state: State, note = ''): void => {
    const text = line(state, note)
    const width = Math.min(30, (terminal.columns || 80) - text.length - 4)
    const filled = state.total === 0 ? width : Math.round((state.done / state.total) * width)
    const bar = width < 5 ? '' : `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] `
    // A line that wraps could not be redrawn.
    terminal.write(`\r\u001B[K${(bar + text).slice(0, (terminal.columns || 80) - 1)}`)
  }
  return {
    show(state) {
      last = state
      if (terminal.isTTY === true) return draw(state)
      const step = state.total === 0 ? 1 : Math.floor(state.done / state.total / share)
      if (step === lastLine) return
      lastLine = step
      terminal.write(`${line(state)}\n`)
    },
    waiting(until, limits) {
      const at = new Date(until).toISOString().replace(/\.\d+Z$/, 'Z')
      const note = `waiting for ${limits.join(', ')} until ${at}`
      const state = last ?? { done: 0, total: 0, failed: 0, remainingMs: null }
      if (terminal.isTTY === true) draw(state, note)
      else if (note !== lastNote) terminal.write(`${line(state, note)}\n`)
      lastNote = note
    },
    end() {
      if (terminal.isTTY === true && last !== null) terminal.write('\n')
    },
  }
}
