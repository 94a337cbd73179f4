/**
 * The helper process that hashes passwords. It gives way to whatever else wants the processor.
 */
import { argon2, type Argon2Parameters } from 'node:crypto'
import { constants, getPriority, setPriority } from 'node:os'
import { promisify } from 'node:util'
import { answerQuestions } from './helper-process.ts'

const derive = promisify(argon2)
/** Added to the niceness of the service: a tenth of its share of a core that both want. */
const niceness = 10

setPriority(Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW))
answerQuestions((parameters: Argon2Parameters) => derive('argon2id', parameters))
