import { fileURLToPath } from 'node:url'
import { startTaskProcess, type TaskProcess } from '../task-process.ts'
import type { DrawingTask, Drawn } from './contract.ts'

const ENTRY = fileURLToPath(new URL('./child/main.ts', import.meta.url))

/** Draws one picture at a time. */
export type DrawingProcess = TaskProcess<DrawingTask, Drawn>

export const startDrawing = (entry = ENTRY): DrawingProcess => startTaskProcess(entry, 'drawing')
