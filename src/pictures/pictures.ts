import { withTimeout } from '../concurrency.ts'
import { ApiError } from '../errors.ts'
import type { DrawingTask, Drawn, Pictures } from './contract.ts'
import { type DrawingProcess, startDrawing } from './drawing-process.ts'

export interface PicturesOptions {
  readonly warn: (message: string) => void
  /** The time without work after which the process ends. */
  readonly idleMs?: number
  /** The time that one picture may take. */
  readonly timeoutMs?: number
  readonly start?: () => DrawingProcess
}

/** With a longer queue, the last callers would wait too long. */
const MAX_WAITING = 100

const unavailable = (detail: string) => new ApiError('unavailable', detail)

const BUSY = 'Too many pictures are being drawn just now. Try again.'
const FAILED = 'The picture could not be drawn just now. Try again.'
const TOO_SLOW = 'The picture took too long to draw.'
const CLOSED = 'The server is stopping.'

/** Draws one picture at a time in one process, so that a picture that crashes it affects no other. */
export function createPictures({
  warn,
  idleMs = 60_000,
  timeoutMs = 20_000,
  start = startDrawing,
}: PicturesOptions): Pictures {
  let drawing: DrawingProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let isClosed = false

  const endProcess = async () => {
    clearTimeout(idle)
    const ending = drawing
    drawing = undefined
    await ending?.end()
  }

  const timeout = () => new DrawingTimeout(`It took over ${timeoutMs} ms.`)

  const drawNow = async (
    task: DrawingTask,
    signal: AbortSignal | undefined,
  ): Promise<string | Uint8Array> => {
    if (isClosed) throw unavailable(CLOSED)
    signal?.throwIfAborted()
    clearTimeout(idle)
    if (!drawing?.isAlive) drawing = start()
    const picture = unlessAborted(drawing.run(task), signal)
    const drawn = await withTimeout(picture, timeoutMs, timeout).catch(async (error: Error) => {
      await endProcess()
      signal?.throwIfAborted()
      if (isClosed) throw unavailable(CLOSED)
      warn(`A picture was not drawn: ${error.message}`)
      throw unavailable(error instanceof DrawingTimeout ? TOO_SLOW : FAILED)
    })
    idle = setTimeout(() => void endProcess(), idleMs).unref()
    return toPicture(drawn, warn)
  }

  const draw = async <T extends string | Uint8Array>(
    task: DrawingTask,
    signal?: AbortSignal,
  ): Promise<T> => {
    if (waiting >= MAX_WAITING) throw unavailable(BUSY)
    waiting++
    const turn = last.then(() => drawNow(task, signal))
    last = turn.catch(() => undefined)
    try {
      return (await turn) as T
    } finally {
      waiting--
    }
  }

  return {
    svg: (chart, look, signal) => draw({ type: 'svg', chart, look }, signal),
    png: (chart, look, signal) => draw({ type: 'png', chart, look }, signal),
    inlineSvg: (chart, look) => draw({ type: 'inlineSvg', chart, look }),
    dashboardPng: (dashboard, look, signal) =>
      draw({ ...look, type: 'dashboardPng', dashboard }, signal),
    dashboardPdf: (dashboard, signal) => draw({ type: 'dashboardPdf', dashboard }, signal),
    async close() {
      isClosed = true
      await endProcess()
      await last
    },
  }
}

function toPicture(drawn: Drawn, warn: (message: string) => void): string | Uint8Array {
  if ('failure' in drawn) {
    warn(`A picture was not drawn: ${drawn.failure}`)
    throw unavailable(FAILED)
  }
  for (const problem of drawn.problems) warn(`A chart was not drawn: ${problem}`)
  return drawn.picture
}

/** Rejects as soon as the signal aborts. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort))
}

class DrawingTimeout extends Error {}
