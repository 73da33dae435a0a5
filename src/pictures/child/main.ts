import type { DrawingTask, Drawn } from '../contract.ts'
import { draw } from './draw.ts'

/** The entry point of the drawing process. Exits when the IPC channel closes, that is, when the server ends. */
process.on('disconnect', () => process.exit(0))

// labels of one picture must not pollute the prototype for later pictures
Object.preventExtensions(Object.prototype)

process.on('message', async (task: DrawingTask) => {
  const drawn = await draw(task).catch((error: Error): Drawn => ({ failure: String(error.stack) }))
  process.send?.(drawn)
})
