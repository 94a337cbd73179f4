/**
 * SIGHUP means two things: an operator wants the processes renewed, or the window in which the server was started has been closed. Only
 * in the second case has the process lost its terminal.
 */
import { closeSync, openSync } from 'node:fs'

/** Looks whether there is a terminal now. @returns whether there was one and it is gone */
export function watchTerminal(): () => boolean {
  const had = hasTerminal()
  return () => had && !hasTerminal()
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
