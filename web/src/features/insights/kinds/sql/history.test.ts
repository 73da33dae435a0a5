import { describe, expect, it } from 'vitest'
import { addToHistory, readHistory } from './history.ts'

describe('the history of queries', () => {
  it('has each query once, the last one first', () => {
    const past = addToHistory(addToHistory([], 'select 1', 1), 'select 2', 2)

    expect(addToHistory(past, 'select 1', 3)).toEqual([
      { text: 'select 1', at: 3 },
      { text: 'select 2', at: 2 },
    ])
    expect(addToHistory(past, '  ', 3)).toBe(past)
  })

  it('keeps 50 queries', () => {
    const past = Array.from({ length: 60 }, (_, at) => at).reduce(
      (before, at) => [...addToHistory(before, `select ${at}`, at)],
      [] as { text: string; at: number }[],
    )

    expect(past).toHaveLength(50)
    expect(past[0]?.text).toBe('select 59')
  })

  it.each([undefined, '{', '{}', '[null, 3, {"text": 4, "at": 1}]'])('is empty for %s', (kept) => {
    expect(readHistory(kept)).toEqual([])
  })
})
