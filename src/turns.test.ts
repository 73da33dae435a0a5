import { describe, expect, it } from 'vitest'
import { countTurns } from '../test/support/count-turns.ts'
import { mapInTurns } from './turns.ts'

describe('long work', () => {
  const spin = (ms: number) => {
    const end = performance.now() + ms
    while (performance.now() < end);
  }

  it('takes as many turns of the event loop as it needs, and keeps the order', async () => {
    let results: number[] = []

    const turns = await countTurns(async () => {
      results = await mapInTurns([1, 2, 3, 4, 5, 6, 7, 8], (item, index) => {
        spin(5)
        return item * index
      })
    })

    expect(results).toEqual([0, 2, 6, 12, 20, 30, 42, 56])
    expect(turns).toBeGreaterThanOrEqual(3)
  })

  it('shares the time of a turn with other long work', async () => {
    const perTurn = [0]
    const count = () => {
      spin(5)
      perTurn[perTurn.length - 1] = (perTurn.at(-1) ?? 0) + 1
    }
    let isDone = false
    const nextTurn = () => {
      perTurn.push(0)
      if (!isDone) setImmediate(nextTurn)
    }
    setImmediate(nextTurn)

    await Promise.all([1, 2, 3, 4, 5, 6].map(() => mapInTurns([1, 2, 3], count)))
    isDone = true

    expect(perTurn.reduce((sum, items) => sum + items)).toBe(18)
    expect(Math.max(...perTurn)).toBeLessThan(5)
  })

  it('does not wait while it is short', async () => {
    const turns = await countTurns(() => mapInTurns(Array(100).fill(1), (item) => item))

    expect(turns).toBe(0)
  })
})
