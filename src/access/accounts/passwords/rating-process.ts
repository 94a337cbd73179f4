/**
 * The helper process that rates passwords: estimates the guesses they need, from lists of passwords, words and names, the keyboard, dates
 * and repetitions.
 */
import { readFileSync } from 'node:fs'
import { type OptionsDictionary, ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common'
import { dictionary as spanish } from '@zxcvbn-ts/language-es-es'
import { answerQuestions } from './helper-process.ts'
import type { Rating, RatingRequest } from './password.ts'

/** Common passwords in Argentina, and words of the trade. */
const local = JSON.parse(readFileSync(new URL('password-words.json', import.meta.url), 'utf8')) as string[]

const rater = new ZxcvbnFactory({
  dictionary: { ...common, ...spanish, local } as OptionsDictionary,
  graphs: adjacencyGraphs,
  // Time grows with the square of the length, and with each `4` read as `a`: seconds with the defaults, hundredths of a second with these.
  maxLength: 40,
  l33tMaxSubstitutions: 10,
})

answerQuestions(({ password, words }: RatingRequest): Rating => {
  const { score, sequence } = rater.check(password, [...words])
  return { score, usesWords: sequence.some(({ dictionaryName }) => dictionaryName === 'userInputs') }
})
