import { describe, expect, it } from 'vitest'
import { chartOf, trend, trendsQuery } from '../../../test/support/data/results.ts'
import type { ChartPoint } from '../chart.ts'
import type { LifecycleSeries, PathLink, TrendSeries } from '../query-results.ts'
import { loadDrawings, toPointedOption } from './to-option.ts'

await loadDrawings()

const frame = { scheme: 'light', animation: false, width: 640, height: 340 } as const

interface Drawn {
  readonly name?: string
  readonly data: readonly unknown[]
  readonly links?: readonly object[]
}

function draw(chart: ReturnType<typeof chartOf>) {
  const { option, findPoint } = toPointedOption(chart, frame)
  const series = option.series as unknown as readonly Drawn[]
  const pointOf = (at: number, item: number) => findPoint?.(at, item)
  return { series, findPoint, pointOf }
}

const drawTrends = (display: string | undefined, result: readonly TrendSeries[]) =>
  draw({ title: '', query: trendsQuery(display), result })

const total = (label: string, value: number, more: Partial<TrendSeries> = {}) =>
  trend(label, [], { aggregated_value: value, ...more })

describe('the point of a mark', () => {
  it('is the series and interval of a line, also at its dotted end', () => {
    const lines = [trend('a', [3, 2, 1], { unfinished: true }), trend('b', [1, 1, 1])]
    const { series, pointOf } = drawTrends(undefined, lines)

    expect(series.map(({ name }) => name)).toEqual(['a', 'a', 'b'])
    expect(pointOf(1, 2)).toEqual({ series: 0, index: 2 })
    expect(pointOf(2, 1)).toEqual({ series: 1, index: 1 })
  })

  it('is a whole series where bars are sorted by their values', () => {
    const { series, pointOf } = drawTrends('ActionsBarValue', [total('few', 1), total('many', 9)])

    expect(series[0]?.data).toEqual([9, 1])
    expect(pointOf(0, 0)).toEqual({ series: 1 })
    expect(pointOf(0, 1)).toEqual({ series: 0 })
  })

  it('is the series of the previous period for its bar', () => {
    const compared = (value: number, compare_label: 'current' | 'previous') =>
      total('a', value, { compare_label })
    const { pointOf } = drawTrends('ActionsBarValue', [
      compared(5, 'current'),
      compared(3, 'previous'),
    ])

    expect([pointOf(0, 0), pointOf(1, 0)]).toEqual([{ series: 0 }, { series: 1 }])
  })

  it('is a series of a pie, and nothing for the others', () => {
    const many = Array.from({ length: 40 }, (_, at) => total(`s${at}`, at + 1))
    const { series, pointOf } = drawTrends('ActionsPie', many)
    const last = (series[0]?.data.length ?? 0) - 1

    expect(series[0]?.data[last]).toMatchObject({ name: 'Other (33)' })
    expect(pointOf(0, 0)).toEqual({ series: 39 })
    expect(pointOf(0, last)).toBeUndefined()
  })

  it.each([
    ['columns', 'funnel', 0, 1],
    ['bars', 'funnel-bars', 1, 0],
  ])('is who came to a step of a funnel of %s, and who did not', (_, name, came, dropped) => {
    const { pointOf } = draw(chartOf(name))

    expect(pointOf(came, 2)).toEqual({ series: 0, index: 2 })
    expect(pointOf(dropped, 2)).toEqual({ series: 0, index: 2, dropped: true })
  })

  it.each<[string, number, number, ChartPoint]>([
    ['funnel-breakdown', 2, 2, { series: 1, index: 2 }],
    ['funnel-breakdown', 3, 2, { series: 1, index: 2, dropped: true }],
    ['funnel-breakdown-bars', 1, 2, { series: 1, index: 2 }],
    ['funnel-trend', 1, 3, { series: 1, index: 3 }],
    ['trends-box', 0, 4, { series: 0, index: 4 }],
    ['stickiness-compare', 1, 4, { series: 1, index: 4 }],
  ])('is a position in the result of %s', (name, series, item, point) => {
    expect(draw(chartOf(name)).pointOf(series, item)).toEqual(point)
  })

  it('is the part of a life cycle that the bar is of', () => {
    const chart = chartOf('lifecycle')
    const { series, pointOf } = draw(chart)
    const result = chart.result as readonly LifecycleSeries[]

    const statuses = series.map((_, at) => result[pointOf(at, 0)?.series ?? -1]?.status)
    expect(statuses.map((status) => status?.toUpperCase())).toEqual(
      series.map(({ name }) => name?.toUpperCase()),
    )
  })

  it('is a link of a path, where links are sorted and some left out', () => {
    const link = (source: string, target: string, value: number) => ({ source, target, value })
    const result = [link('2_/b', '1_/a', 9), link('1_/a', '2_/b', 1), link('1_/a', '2_/c', 5)]
    const { series, pointOf } = draw({ title: '', query: { kind: 'PathsQuery' }, result })

    expect(series[0]?.links).toMatchObject([{ target: '2_/c' }, { target: '2_/b' }])
    expect((result[pointOf(0, 0)?.series ?? -1] as PathLink | undefined)?.target).toBe('2_/c')
    expect(pointOf(0, 1)).toEqual({ series: 1 })
  })

  it('is a bin of a time to convert', () => {
    expect(draw(chartOf('funnel-times')).pointOf(0, 2)).toEqual({ series: 0, index: 2 })
  })
})
