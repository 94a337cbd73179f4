/** Answers lookups that arrive together with one statement. Under load, statements become fewer and larger. */

type Bounds = Readonly<{ maxInFlight: number; maxAtOnce: number }>

/**
 * @param answer answers all given questions with one statement, in their order; a rejection rejects them all
 * @returns a function that answers one question
 */
export function shareStatement<Question, Answer>(
  answer: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  { maxInFlight, maxAtOnce }: Bounds,
): (question: Question) => Promise<Answer> {
  type Waiting = { question: Question; resolve: (answer: Answer) => void; reject: (error: unknown) => void }
  let waiting: Waiting[] = []
  let inFlight = 0
  let scheduled = false

  // `setImmediate` runs after all ready sockets have been read, so that their requests share a statement.
  const schedule = (): void => {
    if (scheduled || inFlight >= maxInFlight || waiting.length === 0) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      const batch = waiting.slice(0, maxAtOnce)
      waiting = waiting.slice(maxAtOnce)
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
