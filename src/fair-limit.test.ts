import { describe, expect, it } from 'vitest'
import { createFairLimit, type FairLimitOptions } from './fair-limit.ts'

type Shares = Pick<FairLimitOptions, 'total' | 'shares'>

/** Starts tasks named `project/key` at the same time, then ends the running tasks in order, oldest first. */
async function simulate(shares: Shares, tasks: readonly string[]) {
  const limit = createFairLimit({ ...shares, refuse: () => new Error('full') })
  const started: string[] = []
  const refused: string[] = []
  const running: (() => void)[] = []
  for (const task of tasks) {
    const [project = '', key = ''] = task.split('/')
    limit.acquire([project, `${project}/${key}`]).then(
      (release) => {
        started.push(task)
        running.push(release)
      },
      () => refused.push(task),
    )
  }
  await turn()
  const atOnce = [...started]
  for (let release = running.shift(); release; release = running.shift()) {
    release()
    await turn()
  }
  return { atOnce, started, refused }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

const WIDE = { running: 99, waiting: 99 }
const TWO = { running: 2, waiting: 99 }
const ONE = { running: 1, waiting: 99 }

describe('a fair limit', () => {
  it.each<[string, Shares, string[], string[]]>([
    ['the total', { total: TWO, shares: [WIDE, WIDE] }, ['a/1', 'b/1', 'c/1'], ['a/1', 'b/1']],
    [
      "a project's share",
      { total: WIDE, shares: [TWO, WIDE] },
      ['a/1', 'a/2', 'a/3', 'b/1'],
      ['a/1', 'a/2', 'b/1'],
    ],
    [
      "a key's share",
      { total: WIDE, shares: [TWO, ONE] },
      ['a/1', 'a/1', 'a/2', 'a/3', 'b/1'],
      ['a/1', 'a/2', 'b/1'],
    ],
  ])('runs no more tasks at a time than %s', async (_, shares, tasks, expected) => {
    const { atOnce, started, refused } = await simulate(shares, tasks)

    expect(atOnce).toEqual(expected)
    expect(started.toSorted()).toEqual(tasks.toSorted())
    expect(refused).toEqual([])
  })

  it.each<[string, Shares, string[], string[]]>([
    [
      'projects in turn',
      { total: ONE, shares: [WIDE, WIDE] },
      ['a/1', 'a/1', 'a/1', 'b/1', 'b/1', 'c/1'],
      ['a/1', 'b/1', 'c/1', 'a/1', 'b/1', 'a/1'],
    ],
    [
      'keys of a project in turn',
      { total: ONE, shares: [WIDE, WIDE] },
      ['a/1', 'a/1', 'a/1', 'a/2', 'a/2'],
      ['a/1', 'a/2', 'a/1', 'a/2', 'a/1'],
    ],
    [
      'tasks of one key in order of arrival',
      { total: ONE, shares: [WIDE, WIDE] },
      ['a/1', 'a/1', 'a/1'],
      ['a/1', 'a/1', 'a/1'],
    ],
  ])('runs %s', async (_, shares, tasks, expected) => {
    expect((await simulate(shares, tasks)).started).toEqual(expected)
  })

  it.each<[string, Shares, string[], string[]]>([
    [
      'the queue is full',
      { total: { running: 1, waiting: 1 }, shares: [WIDE, WIDE] },
      ['a/1', 'b/1', 'c/1'],
      ['c/1'],
    ],
    [
      'its own project has too many waiting',
      { total: { running: 1, waiting: 9 }, shares: [{ running: 1, waiting: 1 }, WIDE] },
      ['a/1', 'a/2', 'a/3', 'b/1'],
      ['a/3'],
    ],
    [
      'its own key has too many waiting',
      { total: { running: 1, waiting: 9 }, shares: [WIDE, { running: 1, waiting: 1 }] },
      ['a/1', 'a/1', 'a/1', 'a/2'],
      ['a/1'],
    ],
  ])('refuses a task when %s', async (_, shares, tasks, expected) => {
    expect((await simulate(shares, tasks)).refused).toEqual(expected)
  })

  it('removes a waiting task when its signal aborts', async () => {
    const limit = createFairLimit({ total: ONE, shares: [WIDE], refuse: () => new Error('full') })
    const release = await limit.acquire(['a'])
    const leaving = new AbortController()
    const left = limit.run(['a'], async () => 'ran', leaving.signal)
    const stayed = limit.run(['a'], async () => 'ran')

    leaving.abort(new Error('left'))

    await expect(left).rejects.toThrow('left')
    release()
    expect(await stayed).toBe('ran')
    await expect(limit.acquire(['a'], leaving.signal)).rejects.toThrow('left')
  })

  it('frees the slot of a failed task, and each slot only once', async () => {
    const limit = createFairLimit({ total: TWO, shares: [WIDE], refuse: () => new Error('full') })
    await expect(limit.run(['a'], () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    const [first] = [await limit.acquire(['a']), await limit.acquire(['a'])]
    first()
    first()
    await limit.acquire(['a'])

    const waiting = limit.run(['a'], async () => 'ran')

    expect(await Promise.race([waiting, turn().then(() => 'waits')])).toBe('waits')
  })
})
