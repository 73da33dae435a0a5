import { describe, expect, it } from 'vitest'
import { scaleHeat } from './retention-rows.ts'

const cohort = (...counts: number[]) => ({
  date: '2026-02-02T00:00:00Z',
  label: 'Week 0',
  values: counts.map((count, at) => ({ count, label: `Week ${at}` })),
})

describe('the colors of retention', () => {
  it('range over the shares that came back, not up to everyone', () => {
    const toHeat = scaleHeat([cohort(100, 20, 10), cohort(50, 5)])

    expect([toHeat(0.2, 1), toHeat(0.1, 2), toHeat(0.05, 1)]).toEqual([1, 0.5, 0.25])
  })

  it('are pale in the first interval, in which everyone was active', () => {
    expect(scaleHeat([cohort(100, 20)])(1, 0)).toBe(0)
  })

  it('are pale if nobody came back, or nobody came', () => {
    expect(scaleHeat([cohort(100, 0)])(0, 1)).toBe(0)
    expect(scaleHeat([cohort(0, 0)])(0, 1)).toBe(0)
  })
})
