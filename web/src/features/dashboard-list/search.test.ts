import { describe, expect, it } from 'vitest'
import { toDashboardSearch } from './search.ts'

describe('URL of a dashboard', () => {
  it.each([
    ['60', 60],
    [60, 60],
    ['0.001', 5],
    ['1e9', 86_400],
    ['Infinity', 86_400],
    ['0', undefined],
    ['-1', undefined],
    ['often', undefined],
    [undefined, undefined],
  ])('with ?refresh=%s refreshes every %s seconds', (asked, seconds) => {
    expect(toDashboardSearch({ refresh: asked }).refresh).toBe(seconds)
  })
})
