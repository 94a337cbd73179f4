/** Simultaneous queries share a statement (docs/architecture.md, 'Admission'): each gets its own result or the statement's error. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareStatement } from '../../../../src/platform/db/statements/shared-statement.ts'

/** Statements that the test answers or fails. */
function statements() {
  const sent: { questions: readonly number[]; answer: () => void; fail: () => void }[] = []
  const ask = shareStatement<number, string>(
    (questions) =>
      new Promise((resolve, reject) => {
        sent.push({
          questions,
          answer: () => resolve(questions.map((question) => `answer ${question}`)),
          fail: () => reject(new Error(`no answer to ${questions.join()}`)),
        })
      }),
    { maxInFlight: 2, maxAtOnce: 3 },
  )
  return { sent, ask }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('a shared statement batches queries within the limits, and answers each', async () => {
  const { sent, ask } = statements()
  const answers = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(ask))
  for (let count = 0; count < 5; count += 1) await turn()
  assert.deepEqual(
    sent.map(({ questions }) => questions),
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
  )
  sent[1]?.answer()
  for (let count = 0; count < 5; count += 1) await turn()
  assert.deepEqual(sent[2]?.questions, [7, 8])
  sent[0]?.answer()
  sent[2]?.answer()
  assert.deepEqual(
    await answers,
    [1, 2, 3, 4, 5, 6, 7, 8].map((question) => `answer ${question}`),
  )
})

test('a failed shared statement rejects only its own queries; later ones run', async () => {
  const { sent, ask } = statements()
  const settled = Promise.allSettled([1, 2, 3, 4].map(ask))
  for (let count = 0; count < 5; count += 1) await turn()
  sent[0]?.fail()
  sent[1]?.answer()
  assert.deepEqual(
    (await settled).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected', 'fulfilled'],
  )
  const later = ask(9)
  for (let count = 0; count < 5; count += 1) await turn()
  sent[2]?.answer()
  assert.equal(await later, 'answer 9')
})
