/** The helper process that hashes passwords, at a low CPU priority. */
import { argon2, type Argon2Parameters } from 'node:crypto'
import { constants, getPriority, setPriority } from 'node:os'
import { promisify } from 'node:util'
import { answerQuestions } from './helper-process.ts'

const derive = promisify(argon2)
/** Added to the service's niceness: on a contended core, the helper gets a tenth of the service's share. */
const niceness = 10

setPriority(Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW))
answerQuestions((parameters: Argon2Parameters) => derive('argon2id', parameters))
