import { describe, expect, it } from 'vitest'
import { NO_TRACER } from '#server/telemetry/tracer.ts'
import type { RefreshPolicy } from '../cache/refresh.ts'
import type { ResultRow } from '../cache/store.ts'
import { createComputations } from './computations.ts'
import type { Computation, SharedComputations } from './compute.ts'
import { createQuerySlots } from './query-slots.ts'

const toComputation = (key: string) =>
  ({ key, projectId: 1, version: '1', source: { kind: 'TrendsQuery' } }) as Computation

const GROUP = ['a', 'b'].map(toComputation) as unknown as SharedComputations

const toPolicy = (client: AbortController): RefreshPolicy => ({
  when: 'stale',
  wait: true,
  requester: { key: 'key', signal: client.signal },
})

/** Starts computations whose task ends when the test says so, or nobody waits any more. */
function start() {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const tasks: string[] = []
  const computations = createComputations(createQuerySlots(NO_TRACER), async (all, _, signal) => {
    tasks.push(all.map(({ key }) => key).join())
    signal.throwIfAborted()
    const { promise: canceled, reject } = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => reject(signal.reason))
    await Promise.race([finished, canceled])
    return Promise.allSettled(
      all.map(async ({ key }) => {
        if (key === 'broken') throw new Error('broken')
        return { key } as ResultRow
      }),
    )
  })
  return { computations, tasks, finish }
}

describe('computations that share a slot', () => {
  it('run once, also for a request that needs one of them', async () => {
    const { computations, tasks, finish } = start()
    const client = new AbortController()

    const group = computations.join(GROUP, toPolicy(client))
    const one = computations.join([toComputation('b')], toPolicy(client))
    finish()

    expect(await group).toEqual([{ key: 'a' }, { key: 'b' }])
    expect(await one).toEqual([{ key: 'b' }])
    expect(tasks).toEqual(['a,b'])
  })

  it('leave out what is computed already', async () => {
    const { computations, tasks, finish } = start()
    const client = new AbortController()

    const one = computations.join([toComputation('a')], toPolicy(client))
    const group = computations.join(GROUP, toPolicy(client))
    finish()

    expect([await one, await group]).toEqual([[{ key: 'a' }], [{ key: 'a' }, { key: 'b' }]])
    expect(tasks).toEqual(['a', 'b'])
  })

  it('continue while anyone waits for one of them, and then end', async () => {
    const { computations } = start()
    const [first, second] = [new AbortController(), new AbortController()]
    const group = computations.join(GROUP, toPolicy(first))
    const one = computations.join([toComputation('b')], toPolicy(second))

    first.abort(new Error('first left'))
    expect(computations.isRunning('b')).toBe(true)
    second.abort(new Error('second left'))

    await expect(one).rejects.toThrow('second left')
    await expect(group).rejects.toThrow('second left')
  })

  it('fail for themselves', async () => {
    const { computations, finish } = start()
    const policy = toPolicy(new AbortController())
    const all = ['a', 'broken'].map(toComputation) as unknown as SharedComputations

    const group = computations.join(all, policy)
    const one = computations.join([toComputation('a')], policy)
    finish()

    await expect(group).rejects.toThrow('broken')
    expect(await one).toEqual([{ key: 'a' }])
  })
})
