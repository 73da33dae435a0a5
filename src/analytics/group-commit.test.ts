import { describe, expect, it } from 'vitest'
import { newEvent } from '../../test/support/data/events.ts'
import type { EventBatch } from './event-batch.ts'
import { createGroupCommit, type GroupCommitOptions, type Written } from './group-commit.ts'

/** Creates a group commit whose writes end when the test ends them. */
function startSlowly(options: GroupCommitOptions = {}) {
  const commits: { names: string[]; end: (error?: Error) => void }[] = []
  const group = createGroupCommit((batch: EventBatch) => {
    const { promise, resolve, reject } = Promise.withResolvers<Written>()
    const end = (error?: Error) =>
      error ? reject(error) : resolve((first, to) => ({ first, count: to - first }))
    commits.push({ names: [...batch.slices()].flat().map(({ event }) => event), end })
    return promise
  }, options)
  const append = (event: string, more = {}) => group.append(1, [newEvent({ event, ...more })])
  const turn = () => new Promise((resolve) => setTimeout(resolve, 5))
  return { group, commits, append, turn }
}

describe('a group commit', () => {
  it('contains all appends that arrived during the previous one', async () => {
    const { commits, append, turn } = startSlowly()
    const first = [append('a'), append('b')]
    await turn()
    const second = [append('c'), append('d'), append('e')]
    await turn()

    expect(commits.map(({ names }) => names)).toEqual([['a', 'b']])
    commits[0]?.end()
    await Promise.all(first)
    await turn()

    expect(commits.map(({ names }) => names)).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ])
    commits[1]?.end()
    await Promise.all(second)
  })

  it('is written beside another one only if many events wait', async () => {
    const { group, commits, append, turn } = startSlowly({ parallel: 2, maxRows: 1200 })
    const many = (event: string) =>
      group.append(
        1,
        Array.from({ length: 700 }, () => newEvent({ event })),
      )
    const appends = [append('a')]
    await turn()
    appends.push(many('b'))
    await turn()
    expect(commits.map(({ names }) => names[0])).toEqual(['a'])

    appends.push(many('c'), many('d'))
    await turn()

    expect(commits.map(({ names }) => [...new Set(names)])).toEqual([['a'], ['b']])
    commits[0]?.end()
    await turn()
    expect(commits.map(({ names }) => names.length)).toEqual([1, 700, 700])
    for (const { end } of commits) end()
    await turn()
    for (const { end } of commits) end()
    await Promise.all(appends)
  })

  it('resolves its appends only when it has ended', async () => {
    const { commits, append, turn } = startSlowly()
    let stored = false
    const appending = append('a').then(() => {
      stored = true
    })
    await turn()

    expect(stored).toBe(false)
    commits[0]?.end()
    await appending

    expect(stored).toBe(true)
  })

  it('retries each append alone after a failure, and rejects only the bad one', async () => {
    const { commits, append, turn } = startSlowly()
    const outcomes = Promise.allSettled([append('a'), append('bad'), append('c')])

    for (const failed of [true, false, true, false]) {
      await turn()
      commits.at(-1)?.end(failed ? new Error('refused') : undefined)
    }

    expect((await outcomes).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    expect(commits.map(({ names }) => names)).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']])
  })

  it('refuses appends while too much is waiting', async () => {
    const { commits, append, turn } = startSlowly()
    const properties = JSON.stringify({ a: 'x'.repeat(10 * 1024 * 1024) })
    const taken = Array.from({ length: 7 }, () => append('large', { properties }))

    await expect(append('small')).rejects.toMatchObject({ code: 'unavailable', statusCode: 503 })

    const all = Promise.all(taken)
    for (let written = 0; written < taken.length; written++) {
      await turn()
      commits[written]?.end()
    }
    await all
    const small = append('small')
    await turn()
    commits.at(-1)?.end()
    await expect(small).resolves.toMatchObject({ count: 1 })
  })
})
