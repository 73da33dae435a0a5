import { describe, expect, it } from 'vitest'
import { createHostBudgets } from './host-budgets.ts'
import { createPace } from './pace.ts'
import { createRemote } from './remote.ts'

const URL_OF_HOST = new URL('https://api.example.com/orders')

/** Collects what the run says about itself. */
function startPace() {
  const budgets = createHostBudgets()
  const remote = createRemote()
  const ended = new AbortController()
  const reports: boolean[] = []
  const services = { setIdle: (isIdle: boolean) => void reports.push(isIdle) }
  const pace = createPace({ budgets, remote, ended: ended.signal, services })
  return { budgets, remote, ended, reports, pace }
}

describe('a run', () => {
  it('is idle while all that it does is wait for a host', async () => {
    const { budgets, pace, reports, ended } = startPace()
    budgets.postpone(URL_OF_HOST.host, 60_000, Date.now())

    const turn = pace.waitForTurn(URL_OF_HOST)
    expect(reports).toEqual([true])
    ended.abort(new Error('over'))

    await expect(turn).rejects.toThrow('over')
    expect(reports).toEqual([true, false])
  })

  it('is not idle while it also does something else', async () => {
    const { pace, reports, ended } = startPace()
    const work = Promise.withResolvers<void>()

    const working = pace.busy(() => work.promise)
    const sleeping = pace.sleep(60_000)
    expect(reports).toEqual([])
    work.resolve()
    await working
    expect(reports).toEqual([true])
    ended.abort()
    await sleeping

    expect(reports).toEqual([true, false])
  })

  it('keeps its slot for a short wait', async () => {
    const { pace, reports } = startPace()

    await pace.sleep(1)

    expect(reports).toEqual([])
  })

  it('fails temporarily, for as long as a host asks, if that is long', async () => {
    const { budgets, pace, remote } = startPace()
    budgets.postpone(URL_OF_HOST.host, 3_600_000, Date.now())

    await expect(pace.waitForTurn(URL_OF_HOST)).rejects.toThrow(
      'takes no request for another 3600 s',
    )

    expect(remote.trouble?.retryAfterMs).toBeGreaterThan(3_590_000)
  })
})
