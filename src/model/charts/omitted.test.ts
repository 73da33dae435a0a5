import { describe, expect, it } from 'vitest'
import { chartOf, funnelSteps, trend, trendsQuery } from '../../../test/support/data/results.ts'
import type { Chart } from '../chart.ts'
import { OTHER } from '../format.ts'
import { loadDrawings, toOption, toPointedOption } from './to-option.ts'

await loadDrawings()

/** A phone, a tile, the same tile on a shared page, a picture, and a large screen. */
const SIZES = [
  [312, 280],
  [366, 240],
  [556, 308],
  [784, 402],
  [2400, 900],
] as const

interface Drawn {
  readonly series: readonly { readonly name?: string; readonly data: readonly unknown[] }[]
  readonly legend?: { readonly data?: readonly string[] }
  readonly graphic?: readonly { readonly style: { readonly text: string } }[]
}

interface Pie {
  readonly legend: { formatter(name: string): string }
  readonly graphic: readonly { readonly style: { readonly text: string } }[]
}

/** Describes everything that a chart names and omits, at each size. */
const shownAt = (chart: Chart) =>
  SIZES.map(([width, height]) => {
    const drawn = toOption(chart, { scheme: 'light', animation: false, width, height })
    const { series = [], legend, graphic = [] } = drawn as unknown as Partial<Drawn>
    return {
      series: series.map(({ name, data }) => [name, data.length]),
      names: legend?.data,
      note: graphic.map(({ style }) => style.text).find((text) => text?.startsWith('+')),
    }
  })

const pages = (count: number, value = 9) =>
  Array.from({ length: count }, (_, at) =>
    trend(`/page/${at}`, [value + count - at, 1], {
      breakdown_value: `/page/${at}`,
      aggregated_value: count - at,
    }),
  )

const chart = (display: string, result: readonly object[]): Chart => ({
  title: '',
  query: trendsQuery(display),
  result,
})

const browsers = (names: readonly string[]) =>
  names.map((name, at) =>
    funnelSteps(1 / (at + 1)).map((step) => ({ ...step, breakdown_value: name })),
  )

const cohorts = (names: readonly string[]) =>
  browsers(names).map((steps) =>
    steps.map((step) => ({ ...step, breakdown_label: step.breakdown_value })),
  )

/** The same person can visit several pages. */
const persons = (count: number, math = 'dau') =>
  pages(count).map((page) => ({ ...page, action: { ...page.action, math } }))

const SIX = ['Chrome', 'Safari', 'Firefox', 'Edge', 'Opera', 'Brave']

describe('a chart of many values', () => {
  it.each<[string, Chart, object]>([
    ['lines', chart('ActionsLineGraph', pages(40)), { note: undefined }],
    ['lines of persons', chart('ActionsLineGraph', persons(40)), { note: '+32 more' }],
    ['grouped bars', chart('ActionsUnstackedBar', persons(12)), { note: '+4 more' }],
    ['bars of totals', chart('ActionsBarValue', pages(25)), { note: '+13 more' }],
    ['stacked bars', chart('ActionsBar', pages(12)), { note: undefined }],
    ['a pie', chart('ActionsPie', pages(12)), { note: undefined }],
    ['stacked bars of persons', chart('ActionsBar', persons(12)), { note: '+4 more' }],
    ['a pie of persons', chart('ActionsPie', persons(12)), { note: '+4 more' }],
    [
      'a funnel by cohorts',
      { title: '', query: { kind: 'FunnelsQuery' }, result: cohorts(SIX) },
      { names: ['Chrome', 'Safari', 'Firefox', 'Edge', 'Opera'], note: '+1 more' },
    ],
    [
      'a funnel',
      { title: '', query: { kind: 'FunnelsQuery' }, result: browsers(SIX) },
      { names: ['Chrome', 'Safari', 'Firefox', 'Edge', 'Other (2)'] },
    ],
    [
      'paths',
      {
        title: '',
        query: { kind: 'PathsQuery' },
        result: Array.from({ length: 45 }, (_, at) => ({
          source: '1_/',
          target: `2_/${at}`,
          value: 50 - at,
        })),
      },
      { note: '+5 more' },
    ],
  ])('omits the same number at every size: %s', (_, given, expected) => {
    const [first, ...others] = shownAt(given)

    expect(first).toMatchObject(expected)
    for (const other of others) expect(other).toEqual(first)
  })

  it.each(['ActionsBar', 'ActionsAreaGraph', 'ActionsLineGraph'])(
    'adds up the rest: %s',
    (display) => {
      const given = chart(display, pages(12))
      const { series } = toOption(given, {
        scheme: 'light',
        animation: false,
        width: 600,
        height: 300,
      }) as unknown as Drawn

      expect(series.map(({ name }) => name).at(-1)).toBe('Other (5)')
      const firsts = series.map(({ data }) => data[0] as number)
      expect(firsts.reduce((sum, value) => sum + value)).toBe(
        pages(12).reduce((sum, { data }) => sum + (data[0] as number), 0),
      )
    },
  )

  it('shows up to 30 lines and their names on demand', () => {
    const frame = { scheme: 'light', animation: false, width: 1200, height: 600 } as const
    const draw = (count: number, showsAll: boolean) => {
      const drawn = toPointedOption(chart('ActionsLineGraph', persons(count)), {
        ...frame,
        showsAll,
      })
      const { series, legend } = drawn.option as unknown as Drawn
      const { limited } = drawn
      return [limited?.count, limited?.canDraw, series.length, legend?.data?.length]
    }

    expect(draw(8, false)).toEqual([undefined, undefined, 8, 8])
    expect(draw(12, false)).toEqual([12, true, 8, 8])
    expect(draw(12, true)).toEqual([12, true, 12, 12])
    expect(draw(40, true)).toEqual([40, false, 8, 8])
  })

  it.each([
    ['ActionsLineGraph', ['Series', 'Minimum', 'Average', 'Maximum', 'Total']],
    ['ActionsBarValue', ['Series', 'Value']],
    ['ActionsPie', ['Series', 'Value']],
  ])('lists all values of %s if they are too many to draw', (display, columns) => {
    const frame = { scheme: 'light', animation: false, width: 600, height: 300 } as const
    const limitedOf = (count: number) =>
      toPointedOption(chart(display, pages(count)), frame).limited

    const table = limitedOf(40)?.toTable()
    expect(table).toMatchObject({ columns })
    expect(table?.rows).toHaveLength(40)
    expect(limitedOf(5)).toBeUndefined()
  })

  it.each([
    ['unique persons', persons(12)],
    ['weekly active persons', persons(12, 'weekly_active')],
    ['averages', persons(12, 'avg')],
    ['a formula', pages(12).map((page) => ({ ...page, action: null }))],
    ['cohorts', pages(12).map((page) => ({ ...page, breakdown_label: 'Cohort' }))],
  ])('does not add up the rest of %s', (_, result) => {
    for (const display of ['ActionsBar', 'ActionsAreaGraph', 'ActionsPie']) {
      const [shown] = shownAt(chart(display, result))

      expect(JSON.stringify(shown)).not.toContain('Other')
      expect(shown?.note).toBe('+4 more')
    }
  })

  it('draws a calendar as lines if several numbers of a cell do not add up', () => {
    const draw = (result: readonly object[]) =>
      shownAt(chart('CalendarHeatmap', result))[0]?.series.length

    expect(draw(pages(2))).toBe(0)
    expect(draw(persons(1))).toBe(0)
    expect(draw(persons(2))).toBe(2)
  })

  it('shows the numbers of a pie instead of shares if they do not add up', () => {
    const texts = (result: readonly object[]) => {
      const { legend, graphic } = toOption(chart('ActionsPie', result), {
        scheme: 'light',
        animation: false,
        width: 600,
        height: 300,
      }) as unknown as Pie
      return [legend.formatter('/page/0'), graphic.map(({ style }) => style.text)]
    }

    expect(texts(pages(4))).toEqual(['/page/0 · 40%', ['10']])
    expect(texts(persons(4))).toEqual(['/page/0 · 4', []])
  })

  it("counts the result's own rest as an unknown number", () => {
    const [shown] = shownAt(
      chart('ActionsBar', [...pages(9), trend('Other', [500, 1], { breakdown_value: OTHER })]),
    )

    expect(shown?.names?.at(-1)).toBe('Other (2+)')
    expect(shown?.names?.slice(0, 7)).toEqual(pages(7).map(({ label }) => label))
  })

  it('adds up the rest of a funnel', () => {
    const result = browsers(SIX)
    const option = toOption(
      { title: '', query: { kind: 'FunnelsQuery' }, result },
      { scheme: 'light', animation: false, width: 600, height: 300 },
    ) as unknown as Drawn

    const counts = (step: number) =>
      (result[4]?.[step]?.count ?? 0) + (result[5]?.[step]?.count ?? 0)
    const rates = [0, 1, 2, 3].map((step) => counts(step) / counts(0))
    const [came, dropped] = option.series.slice(-2)
    expect(came?.data).toEqual(rates)
    expect(dropped?.data).toEqual(rates.map((rate, step) => (rates[step - 1] ?? rate) - rate))
  })

  it.each([
    ['a list of values', chart('ActionsBarValue', pages(5))],
    ['a funnel', chartOf('funnel-breakdown')],
    ['lines', chartOf('trends-line')],
  ])('omits nothing from %s that is short', (_, given) => {
    for (const { note } of shownAt(given)) expect(note).toBeUndefined()
  })
})
