import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DASHBOARD } from '../../test/pictures/dashboard.ts'
import { readPng } from '../../test/pictures/png.ts'
import { chartOf } from '../../test/support/data/results.ts'
import { until } from '../../test/support/until.ts'
import type { Drawn } from './contract.ts'
import { type DrawingProcess, startDrawing } from './drawing-process.ts'
import { createPictures, type PicturesOptions } from './pictures.ts'

const LOOK = { scheme: 'light', width: 320, height: 240 } as const
const chart = chartOf('trends-line')
const drawn: Drawn = { picture: '<svg/>', problems: [] }

/** Starts a process without drawing libraries, for tests of its life cycle. */
const startQuick = () =>
  startDrawing(fileURLToPath(import.meta.resolve('../../test/pictures/draws-at-once.ts')))

/** Also returns the started processes, in order, and the logged warnings. */
function openPictures(options: Partial<PicturesOptions> = {}) {
  const processes: DrawingProcess[] = []
  const warnings: string[] = []
  const start = () => {
    const one = options.start?.() ?? startDrawing()
    processes.push(one)
    return one
  }
  const pictures = createPictures({ warn: (text) => warnings.push(text), ...options, start })
  onTestFinished(() => pictures.close())
  return { pictures, processes, warnings }
}

function isRunning(pid: number | undefined): boolean {
  try {
    return process.kill(pid as number, 0)
  } catch {
    return false
  }
}

const fake = (run: DrawingProcess['run']): DrawingProcess => {
  let isAlive = true
  return {
    pid: undefined,
    get isAlive() {
      return isAlive
    },
    run,
    end: async () => {
      isAlive = false
    },
  }
}

describe('pictures', () => {
  it('are all drawn by one process, started on demand', async () => {
    const { pictures, processes, warnings } = openPictures()
    expect(processes).toHaveLength(0)

    const [svg, png, all, pdf] = await Promise.all([
      pictures.svg(chart, LOOK),
      pictures.png(chart, LOOK),
      pictures.dashboardPng(DASHBOARD, { scheme: 'light', width: 300 }),
      pictures.dashboardPdf(DASHBOARD),
    ])

    expect(svg).toMatch(/^<svg /)
    expect(readPng(png)).toMatchObject({ width: 640, height: 480 })
    expect(Buffer.from(all.subarray(1, 4)).toString()).toBe('PNG')
    expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe('%PDF-')
    expect(processes).toHaveLength(1)
    expect(warnings).toEqual([])
  })

  it('end an idle process and start another on demand', async () => {
    const { pictures, processes } = openPictures({ start: startQuick, idleMs: 20 })
    await pictures.svg(chart, LOOK)

    await until(() => !isRunning(processes[0]?.pid))

    expect(await pictures.svg(chart, LOOK)).toBe('<svg/>')
    expect(processes).toHaveLength(2)
  })

  it('fail with 503 if the process dies; the next picture succeeds', async () => {
    const { pictures, processes, warnings } = openPictures({ start: startQuick })
    const failing = expect(pictures.svg(chart, LOOK)).rejects.toMatchObject({ statusCode: 503 })
    const next = pictures.svg(chart, LOOK)

    process.kill((await until(() => processes[0]?.pid)) as number, 'SIGKILL')

    await failing
    expect(await next).toBe('<svg/>')
    expect(warnings).toEqual([expect.stringContaining('SIGKILL')])
  })

  it('replace a process that died while idle', async () => {
    const { pictures, processes } = openPictures({ start: startQuick })
    await pictures.svg(chart, LOOK)
    process.kill(processes[0]?.pid as number, 'SIGKILL')
    await until(() => processes[0]?.isAlive === false)

    expect(await pictures.svg(chart, LOOK)).toBe('<svg/>')
  })

  it('fail with 503 after a timeout; a new process draws the next picture', async () => {
    let started = 0
    const never = () => new Promise<Drawn>(() => undefined)
    const start = () => fake(started++ === 0 ? never : async () => drawn)
    const { pictures, processes } = openPictures({ start, timeoutMs: 20 })
    const late = expect(pictures.svg(chart, LOOK)).rejects.toMatchObject({
      statusCode: 503,
      message: 'The picture took too long to draw.',
    })
    const next = pictures.svg(chart, LOOK)

    await late
    expect(await next).toBe('<svg/>')
    expect(processes.map(({ isAlive }) => isAlive)).toEqual([false, true])
  })

  it('are drawn one at a time', async () => {
    let [now, most] = [0, 0]
    const draw = async () => {
      most = Math.max(most, ++now)
      await new Promise(setImmediate)
      now--
      return drawn
    }
    const { pictures } = openPictures({ start: () => fake(draw) })

    await Promise.all(Array.from({ length: 5 }, () => pictures.svg(chart, LOOK)))

    expect(most).toBe(1)
  })

  it('fail with 503 if too many are waiting', async () => {
    const held = Promise.withResolvers<Drawn>()
    const { pictures } = openPictures({ start: () => fake(() => held.promise) })
    const waiting = Array.from({ length: 100 }, () => pictures.svg(chart, LOOK))

    await expect(pictures.svg(chart, LOOK)).rejects.toMatchObject({ statusCode: 503 })

    held.resolve(drawn)
    await Promise.all(waiting)
    expect(await pictures.svg(chart, LOOK)).toBe('<svg/>')
  })

  it('log the reason if a chart cannot be drawn, and hide it from the caller', async () => {
    const { pictures, warnings } = openPictures()
    const broken = { ...chart, result: [{ data: [1], days: 7 }] }

    expect(await pictures.svg(broken, LOOK)).toContain('This result cannot be drawn')
    expect(warnings).toEqual([expect.stringContaining('A chart was not drawn: TypeError')])
  })

  it('end the process on close, even while it is drawing', async () => {
    const { pictures, processes } = openPictures({ start: startQuick })
    const failing = expect(pictures.svg(chart, LOOK)).rejects.toMatchObject({ statusCode: 503 })
    await until(() => processes[0]?.pid)

    await pictures.close()

    await failing
    expect(isRunning(processes[0]?.pid)).toBe(false)
    await expect(pictures.svg(chart, LOOK)).rejects.toMatchObject({ statusCode: 503 })
    expect(processes).toHaveLength(1)
  })
})

describe('drawing process', () => {
  it('has an empty environment and can neither write files nor spawn processes', async () => {
    const entry = fileURLToPath(import.meta.resolve('../../test/pictures/asks-what-it-may.ts'))
    const { pictures } = openPictures({ start: () => startDrawing(entry) })

    expect(JSON.parse(await pictures.svg(chart, LOOK))).toEqual({
      environment: [],
      write: 'ERR_ACCESS_DENIED',
      spawn: 'ERR_ACCESS_DENIED',
    })
  })

  it('exits when the server is killed', async () => {
    const script = fileURLToPath(import.meta.resolve('../../test/pictures/server.ts'))
    const server = execFile(process.execPath, [script], () => undefined)
    const words = await new Promise((resolve) => server.stdout?.once('data', resolve))
    const pid = Number(words)
    expect(isRunning(pid)).toBe(true)

    server.kill('SIGKILL')

    await until(() => !isRunning(pid))
  })
})
