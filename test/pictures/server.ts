import { startDrawing } from '#server/pictures/drawing-process.ts'

/** Replaces a server that is killed: starts a drawing process, prints its ID and keeps running. */
const drawing = startDrawing()
await drawing.run({
  type: 'svg',
  chart: { title: '', query: {}, result: null },
  look: { scheme: 'light', width: 200, height: 200 },
})
process.stdout.write(`${drawing.pid}\n`)
setInterval(() => undefined, 1000)
