import { describe, expect, it, vi } from 'vitest'
import { createRunaways } from './runaways.ts'

const STOPPED = AbortSignal.abort()
const start = (warn?: (message: string) => void) =>
  createRunaways({ graceMs: 1, ...(warn && { warn }) })

describe('a statement', () => {
  it('that ends is returned or thrown as it is', async () => {
    const runaways = start()
    const { signal } = new AbortController()

    await expect(runaways.watch(Promise.resolve('rows'), signal)).resolves.toBe('rows')
    await expect(runaways.watch(Promise.reject(new Error('broken')), signal)).rejects.toThrow(
      'broken',
    )
    expect([runaways.running, runaways.total]).toEqual([0, 0])
  })

  it('that does not end when it is stopped is waited for no longer', async () => {
    const warn = vi.fn()
    const runaways = start(warn)
    const stop = new AbortController()
    const { promise, resolve } = Promise.withResolvers<void>()

    const watched = runaways.watch(promise, stop.signal)
    stop.abort()

    await expect(watched).rejects.toThrow('could not be stopped at its time limit')
    expect([runaways.running, runaways.total]).toEqual([1, 1])
    expect(warn).toHaveBeenCalledOnce()
    resolve()
    await vi.waitFor(() => expect(runaways.running).toBe(0))
    expect(runaways.total).toBe(1)
  })

  it('that ends when it is terminated is none', async () => {
    const runaways = start()
    const { promise, reject } = Promise.withResolvers<never>()
    const terminate = async () => reject(new Error('terminated'))

    await expect(runaways.watch(promise, STOPPED, terminate)).rejects.toThrow('terminated')
    expect(runaways.total).toBe(0)
  })

  it('of a user is refused while four run away', async () => {
    const runaways = start()
    const { promise, resolve } = Promise.withResolvers<void>()
    const runAway = () => expect(runaways.watch(promise, STOPPED)).rejects.toThrow()

    for (let count = 0; count < 3; count++) await runAway()
    expect(() => runaways.requireFew()).not.toThrow()
    await runAway()

    expect(() => runaways.requireFew()).toThrow('Several queries could not be stopped.')
    resolve()
    await vi.waitFor(() => expect(() => runaways.requireFew()).not.toThrow())
  })
})
