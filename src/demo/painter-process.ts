/**
 * The painter: draws what its parent asks and answers with the bytes.
 */
import sharp from 'sharp'
import { answerQuestions } from '../helper-process.ts'
import type { PaintRequest } from './painter.ts'
import { renderScene } from './scenes.ts'

// One thread a picture is enough: several are drawn at a time. No picture is drawn twice.
sharp.concurrency(1)
sharp.cache(false)

answerQuestions(({ scene, size }: PaintRequest) => renderScene(scene, size))
