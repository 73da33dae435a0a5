import { describe, expect, it } from 'vitest'
import { trend, trendsQuery } from '../../../test/support/data/results.ts'
import type { TrendSeries } from '../query-results.ts'
import { toDetails } from './detail-rows.ts'
import { loadDrawings, toOption } from './to-option.ts'

await loadDrawings()

const persons = (data: number[]): TrendSeries => {
  const one = trend('a', data)
  return { ...one, action: one.action && { ...one.action, math: 'dau' } }
}

describe('the table below a chart', () => {
  it('has minimum, average, maximum and total, without the current interval in all but the total', () => {
    const { columns, rows } = toDetails([trend('a', [2, 4, 9, 1], { unfinished: true })], {})

    expect(columns).toEqual(['Series', 'Minimum', 'Average', 'Maximum', 'Total'])
    expect(rows).toEqual([['a', 2, 5, 9, 16]])
  })

  it.each([
    ['total', ['a', 1, 2, 3], persons([1, 3])],
    ['median', ['a', 1, 2, 4, 1], trend('a', [1, 4, 1])],
    ['average', ['a', 1, 2, 3], trend('a', [1, 3])],
  ] as const)(
    'ends as detailedResultsAggregationType %s says, if that is true',
    (type, row, series) => {
      expect(toDetails([series], { detailedResultsAggregationType: type }).rows).toEqual([row])
    },
  )

  it('takes its space from the chart, if there is enough', () => {
    const draw = (height: number) => {
      const query = { ...trendsQuery(), trendsFilter: { showDetailedResults: true } }
      const chart = { title: '', query, result: [trend('a', [1, 2]), trend('b', [1, 2])] }
      const option = toOption(chart, { scheme: 'light', animation: false, width: 600, height })
      const groups = (option.graphic as { type: string; y: number }[]).filter(
        ({ type }) => type === 'group',
      )
      return { groups, bottom: (option.grid as { bottom: number }).bottom }
    }

    expect(draw(400).groups).toMatchObject([{ y: 400 - 3 * 26 }])
    expect(draw(400).bottom - draw(200).bottom).toBe(3 * 26)
    expect(draw(200).groups).toEqual([])
  })
})
