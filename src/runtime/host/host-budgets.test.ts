import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHostBudgets, MAX_WAIT_MS } from './host-budgets.ts'

const HOST = 'api.example.com'
const SECOND = 1000

describe('the budget of a host', () => {
  it('allows any number of requests while it has no rate', () => {
    const budgets = createHostBudgets()

    expect([0, 0, 0].map((time) => budgets.reserve(HOST, time))).toEqual([0, 0, 0])
  })

  it('delays requests beyond the rate until the period has passed', () => {
    const budgets = createHostBudgets()
    budgets.setRate(HOST, { requests: 2, periodMs: 10 * SECOND })

    const waits = [0, SECOND, 2 * SECOND, 2 * SECOND, 15 * SECOND].map((time) =>
      budgets.reserve(HOST, time),
    )

    expect(waits).toEqual([0, 0, 8 * SECOND, 9 * SECOND, 5 * SECOND])
    expect(budgets.reserve('other.example.com', 0)).toBe(0)
  })

  it('never lets more than the rate into a period', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), gaps, (requests, waits) => {
        const budgets = createHostBudgets()
        budgets.setRate(HOST, { requests, periodMs: 5 * SECOND })
        let time = 0
        const sent = waits.map((gap) => {
          time += gap
          return time + budgets.reserve(HOST, time)
        })
        for (const [n, at] of sent.entries()) {
          const before = sent[n - requests]
          if (before !== undefined) expect(at - before).toBeGreaterThanOrEqual(5 * SECOND)
        }
      }),
    )
  })

  it('holds requests back for as long as the host asks', () => {
    const budgets = createHostBudgets()
    budgets.postpone(HOST, 60 * SECOND, 0)
    budgets.postpone(HOST, 5 * SECOND, SECOND)

    expect(budgets.reserve(HOST, 10 * SECOND)).toBe(50 * SECOND)
    expect(budgets.postponedFor(HOST, 10 * SECOND)).toBe(50 * SECOND)
    expect(budgets.reserve(HOST, 61 * SECOND)).toBe(0)
  })

  it('refuses to wait for long, as a failure that may pass', () => {
    const budgets = createHostBudgets()
    budgets.postpone(HOST, MAX_WAIT_MS + 5 * SECOND, 0)

    expect(() => budgets.reserve(HOST, 0)).toThrow(
      expect.objectContaining({
        message: `${HOST} takes no request for another 605 s.`,
        isTemporary: true,
        waitMs: MAX_WAIT_MS + 5 * SECOND,
      }),
    )
    expect(budgets.reserve(HOST, 10 * SECOND)).toBe(MAX_WAIT_MS - 5 * SECOND)
  })

  it('asks a host again after a day, whatever it said', () => {
    const budgets = createHostBudgets()
    budgets.postpone(HOST, 1e15, 0)

    expect(budgets.postponedFor(HOST, 0)).toBe(86_400_000)
  })

  it('is forgotten for the oldest of very many hosts', () => {
    const budgets = createHostBudgets()
    for (let n = 0; n <= 100; n++) budgets.postpone(`${n}.example.com`, 60 * SECOND, 0)

    expect(budgets.reserve('0.example.com', 0)).toBe(0)
    expect(budgets.reserve('100.example.com', 0)).toBe(60 * SECOND)
  })
})
