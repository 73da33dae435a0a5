import { startDrawing } from '#server/pictures/drawing-process.ts'

/** In place of a server that gets killed: has a drawing process, says which, and stays. */
const drawing = startDrawing()
await drawing.draw({
  type: 'svg',
  chart: { title: '', query: {}, result: null },
  look: { scheme: 'light', width: 200, height: 200 },
})
process.stdout.write(`${drawing.pid}\n`)
setInterval(() => undefined, 1000)
