import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countWindows, overlaps, toWindow } from './windows.ts'

const DAY_MS = 86_400_000
const at = (ms: number) => new Date(ms).toISOString()

describe('windows of a backfill', () => {
  it('follow each other from the beginning to the end', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e12 }),
        fc.integer({ min: 1, max: 40 * DAY_MS }),
        fc.integer({ min: 60_000, max: 3 * DAY_MS }),
        (start, width, chunkMs) => {
          const period = { from: at(start), to: at(start + width) }
          const count = Math.min(countWindows(period, chunkMs), 1000)
          const windows = Array.from({ length: count }, (_, n) => toWindow(period, chunkMs, n))
          expect(windows[0]?.from).toBe(period.from)
          if (count < 1000) expect(windows.at(-1)?.to).toBe(period.to)
          for (const [n, { from, to }] of windows.entries()) {
            expect(from < to).toBe(true)
            if (n > 0) expect(from).toBe(windows[n - 1]?.to)
          }
        },
      ),
      { numRuns: 50 },
    )
  })

  it.each([
    [['2025-01-01', '2025-01-03', null], ['2025-01-02', '2025-01-05', null], true],
    [['2025-01-01', '2025-01-03', null], ['2025-01-03', '2025-01-05', null], false],
    [['2025-01-01', '2025-01-03', ['a']], ['2025-01-01', '2025-01-03', ['b']], false],
    [['2025-01-01', '2025-01-03', ['a']], ['2025-01-02', '2025-01-05', ['b', 'a']], true],
    [['2025-01-01', '2025-01-03', null], ['2025-01-02', '2025-01-05', ['b']], true],
  ] as const)('%j and %j overlap: %s', (a, b, expected) => {
    const toPlan = ([from, to, streams]: typeof a | typeof b) => ({ from, to, streams })

    expect(overlaps(toPlan(a), toPlan(b))).toBe(expected)
    expect(overlaps(toPlan(b), toPlan(a))).toBe(expected)
  })
})
