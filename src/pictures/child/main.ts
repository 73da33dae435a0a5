import type { DrawingTask, Drawn } from '../contract.ts'
import { draw } from './draw.ts'

/** The entry point of the drawing process. It ends with the server, when the channel between them closes. */
process.on('disconnect', () => process.exit(0))

// what one picture's labels might leave here would be in all that follow
Object.preventExtensions(Object.prototype)

process.on('message', async (task: DrawingTask) => {
  const drawn = await draw(task).catch((error: Error): Drawn => ({ failure: String(error.stack) }))
  process.send?.(drawn)
})
