import { expect, it, onTestFinished } from 'vitest'
import { chartOf } from '../../test/support/data/results.ts'
import { until } from '../../test/support/until.ts'
import type { Drawn } from './contract.ts'
import { type DrawingProcess, startDrawing } from './drawing-process.ts'
import { createPictures } from './pictures.ts'

const LOOK = { scheme: 'light', width: 320, height: 240 } as const
const chart = chartOf('trends-line')

/** Opens pictures whose first process never finishes. */
function openWithStuckProcess() {
  const tasks: unknown[] = []
  let ended = 0
  const stuck: DrawingProcess = {
    pid: undefined,
    isAlive: true,
    run: (task) => {
      tasks.push(task)
      return Promise.withResolvers<Drawn>().promise
    },
    end: async () => void ended++,
  }
  let started = 0
  const pictures = createPictures({
    warn: () => {},
    start: () => (started++ === 0 ? stuck : startDrawing()),
  })
  onTestFinished(() => pictures.close())
  return { pictures, tasks, ended: () => ended }
}

it('stops drawing when the caller aborts, then draws the next picture', async () => {
  const { pictures, tasks, ended } = openWithStuckProcess()
  const controller = new AbortController()
  const picture = pictures.svg(chart, LOOK, controller.signal)
  const next = pictures.svg(chart, LOOK)
  await until(() => tasks.length === 1)

  controller.abort(new Error('The key was deleted.'))

  await expect(picture).rejects.toThrow('The key was deleted.')
  expect(ended()).toBe(1)
  expect(await next).toMatch(/^<svg/)
})

it('skips a queued drawing whose caller has aborted', async () => {
  const { pictures, tasks } = openWithStuckProcess()
  const [first, second] = [new AbortController(), new AbortController()]
  const pending = [
    pictures.svg(chart, LOOK, first.signal),
    pictures.svg(chart, LOOK, second.signal),
  ]
  await until(() => tasks.length === 1)

  second.abort(new Error('The client has left.'))
  first.abort(new Error('The client has left.'))

  expect((await Promise.allSettled(pending)).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ])
  expect(tasks).toHaveLength(1)
})
