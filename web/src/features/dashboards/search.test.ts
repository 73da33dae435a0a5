import { describe, expect, it } from 'vitest'
import { toDashboardSearch } from './search.ts'

describe('the address of a dashboard', () => {
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
  ])('that says ?refresh=%s is refreshed every %s seconds', (asked, seconds) => {
    expect(toDashboardSearch({ refresh: asked }).refresh).toBe(seconds)
  })
})
