import { describe, expect, it } from 'vitest'
import {
  createBatcher,
  createKeyedMutex,
  createLimit,
  createSharedReads,
  waitAtMost,
  withTimeout,
} from './concurrency.ts'

const turn = () => new Promise((resolve) => setTimeout(resolve, 5))
const never = new Promise<never>(() => {})

describe('a limit', () => {
  it('runs at most the given number of tasks at a time, in order', async () => {
    const limit = createLimit(2)
    const started: number[] = []
    const gates = [1, 2, 3].map(() => Promise.withResolvers<void>())
    const runs = gates.map((gate, i) =>
      limit(() => {
        started.push(i)
        return gate.promise
      }),
    )

    await turn()
    expect(started).toEqual([0, 1])
    gates[0]?.reject(new Error('no'))
    await expect(runs[0]).rejects.toThrow('no')
    await turn()

    expect(started).toEqual([0, 1, 2])
  })
})

describe('a keyed mutex', () => {
  it('makes tasks of one key wait, and no others', async () => {
    const mutex = createKeyedMutex<string>()
    const started: string[] = []
    const gate = Promise.withResolvers<void>()
    const first = mutex('a', () => {
      started.push('a1')
      return gate.promise
    })
    const second = mutex('a', async () => started.push('a2'))
    await mutex('b', async () => started.push('b1'))

    expect(started).toEqual(['a1', 'b1'])
    gate.resolve()
    await Promise.all([first, second])

    expect(started).toEqual(['a1', 'b1', 'a2'])
  })
})

describe('a timeout', () => {
  it('rejects when the task takes longer', async () => {
    await expect(withTimeout(never, 1, () => new Error('late'))).rejects.toThrow('late')
  })

  it("passes the task's result and failure on", async () => {
    const late = () => new Error('late')

    expect(await withTimeout(Promise.resolve(1), 1000, late)).toBe(1)
    await expect(withTimeout(Promise.reject(new Error('no')), 1000, late)).rejects.toThrow('no')
  })

  it('can end a wait without an error', async () => {
    await expect(waitAtMost(never, 1)).resolves.toBeUndefined()
  })
})

describe('shared reads', () => {
  it('starts the next read after the running one, and shares it', async () => {
    const share = createSharedReads<number>()
    let version = 1
    let reads = 0
    const read = async () => {
      reads++
      const seen = version
      await turn()
      return seen
    }

    const first = share('a', read)
    version = 2
    const later = [share('a', read), share('a', read)]

    expect(await Promise.all([first, ...later])).toEqual([1, 2, 2])
    expect(reads).toBe(2)
  })

  it('reads again when nothing is running, and for another key at once', async () => {
    const share = createSharedReads<string>()
    const keys: string[] = []
    const read = (key: string) => async () => {
      keys.push(key)
      return key
    }

    expect(await Promise.all([share('a', read('a')), share('b', read('b'))])).toEqual(['a', 'b'])
    await share('a', read('a'))

    expect(keys).toEqual(['a', 'b', 'a'])
  })

  it('continues after a read that failed', async () => {
    const share = createSharedReads<number>()

    const failed = share('a', async () => {
      throw new Error('gone')
    })
    const next = share('a', async () => 2)

    await expect(failed).rejects.toThrow('gone')
    expect(await next).toBe(2)
  })
})

describe('a batcher', () => {
  it('shares the next batch among the items that arrive during one', async () => {
    const batches: number[][] = []
    const gate = Promise.withResolvers<void>()
    const batcher = createBatcher<number, number>({
      countNext: () => 3,
      async run(items) {
        batches.push([...items])
        await gate.promise
        return items.map((item) => ({ status: 'fulfilled', value: item * 2 }))
      },
    })
    const first = batcher.add(1)
    await turn()
    const rest = [2, 3, 4, 5].map((item) => batcher.add(item))
    gate.resolve()

    expect(await Promise.all([first, ...rest])).toEqual([2, 4, 6, 8, 10])
    expect(batches).toEqual([[1], [2, 3, 4], [5]])
    await batcher.idle()
  })

  it('runs several batches at once if it may, and waits for the last of them', async () => {
    const batches: number[][] = []
    const gates = [1, 2, 3].map(() => Promise.withResolvers<void>())
    const batcher = createBatcher<number, number>({
      maxRunning: 2,
      countNext: (waiting, running) => (running > 0 && waiting.length < 2 ? 0 : 2),
      async run(items) {
        batches.push([...items])
        await gates[batches.length - 1]?.promise
        return items.map((item) => ({ status: 'fulfilled', value: item }))
      },
    })
    const added = [1, 2, 3].map((item) => batcher.add(item))
    await turn()
    expect(batches).toEqual([[1, 2]])
    added.push(...[4, 5, 6].map((item) => batcher.add(item)))
    await turn()
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ])

    gates[1]?.resolve()
    expect(await Promise.all(added.slice(2, 4))).toEqual([3, 4])
    let isIdle = false
    const idle = batcher.idle().then(() => {
      isIdle = true
    })
    await turn()
    expect(isIdle).toBe(false)
    for (const gate of gates) gate.resolve()
    await idle

    expect(batches).toHaveLength(3)
    expect(await Promise.all(added)).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('settles each item for itself, and all of a batch that rejects', async () => {
    const batcher = createBatcher<string, string>({
      countNext: (waiting) => waiting.length,
      async run(items) {
        if (items.includes('broken')) throw new Error('batch')
        return items.map((item) =>
          item === 'bad'
            ? { status: 'rejected', reason: new Error(item) }
            : { status: 'fulfilled', value: item },
        )
      },
    })

    const outcomes = await Promise.allSettled([batcher.add('good'), batcher.add('bad')])
    const failed = await Promise.allSettled([batcher.add('good'), batcher.add('broken')])

    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 'good' },
      { status: 'rejected', reason: new Error('bad') },
    ])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})
