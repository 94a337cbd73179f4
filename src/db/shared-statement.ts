/** One statement for all who ask at the same moment: under load there are fewer of them, each for more. */

export type Bounds = Readonly<{ mostInFlight: number; mostAtOnce: number }>

/**
 * @param answer gives an answer to each question, in their order, with one statement; it rejects for all of them
 * @returns a function that asks
 */
export function shareStatement<Question, Answer>(
  answer: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  { mostInFlight, mostAtOnce }: Bounds,
): (question: Question) => Promise<Answer> {
  type Waiting = { question: Question; resolve: (answer: Answer) => void; reject: (error: unknown) => void }
  let waiting: Waiting[] = []
  let inFlight = 0
  let scheduled = false

  // After the sockets that are ready now have been read, so that their requests share a statement.
  const schedule = (): void => {
    if (scheduled || inFlight >= mostInFlight || waiting.length === 0) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      const batch = waiting.slice(0, mostAtOnce)
      waiting = waiting.slice(mostAtOnce)
      void send(batch)
      schedule()
    })
  }

  const send = async (batch: readonly Waiting[]): Promise<void> => {
    inFlight += 1
    try {
      const answers = await answer(batch.map(({ question }) => question))
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    inFlight -= 1
    schedule()
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      schedule()
    })
}
