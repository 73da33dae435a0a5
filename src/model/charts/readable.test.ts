import { describe, expect, it } from 'vitest'
import { CHARTS, chartOf, trend, trendsQuery } from '../../../test/support/data/results.ts'
import type { Chart } from '../chart.ts'
import { OTHER } from '../format.ts'
import { paletteOf } from '../palette.ts'
import { toTextView } from '../query-kinds/index.ts'
import { loadDrawings, toOption, toPointedOption } from './to-option.ts'

await loadDrawings()

const frame = { scheme: 'light', animation: false, width: 640, height: 340 } as const
const light = paletteOf('light')

interface Axis {
  readonly min?: number
  readonly max?: number
  readonly minInterval?: number
  readonly axisLabel: Record<string, unknown> & { formatter(value: number): string }
}

const axesOf = (chart: Chart) =>
  toOption(chart, frame) as unknown as { readonly xAxis: Axis; readonly yAxis: Axis }

const trendsChart = (display: string | undefined, result: readonly object[]): Chart => ({
  title: '',
  query: trendsQuery(display),
  result,
})

describe('a readable chart', () => {
  it('shows conversion over time in percent up to 100', () => {
    const { yAxis } = axesOf(chartOf('funnel-trend'))

    expect(yAxis).toMatchObject({ min: 0, max: 100, interval: 25 })
    expect(yAxis.axisLabel.formatter(20)).toBe('20%')
    expect(toPointedOption(chartOf('funnel-trend'), frame).format?.full(12.5)).toBe('12.5%')
  })

  it('counts durations in units of time', () => {
    const result = [trend('length', [0, 5000])]
    const query = trendsQuery('ActionsLineGraph')
    const trendsFilter = { aggregationAxisFormat: 'duration' }
    const { yAxis } = axesOf({ title: '', query: { ...query, trendsFilter }, result })

    expect(yAxis).toMatchObject({ minInterval: 1800, maxInterval: 1800 })
    expect(yAxis.axisLabel.formatter(1800)).toBe('30 min')
  })

  it('lists few bars of totals from the top, and fills the chart with many', () => {
    const bottomOf = (count: number) => {
      const result = Array.from({ length: count }, (_, at) =>
        trend(`v${at}`, [], { aggregated_value: 9 - at, breakdown_value: `v${at}` }),
      )
      return (toOption(trendsChart('ActionsBarValue', result), frame).grid as { bottom: number })
        .bottom
    }

    expect(frame.height - bottomOf(2)).toBeLessThan(90)
    expect(bottomOf(12)).toBeLessThan(20)
  })

  it('numbers counts without fractions', () => {
    const axis = (data: number[]) => axesOf(trendsChart('ActionsBar', [trend('runs', data)])).yAxis

    expect(axis([0, 1]).minInterval).toBe(1)
    expect(axis([0, 1.5]).minInterval).toBeUndefined()
  })

  it('keeps the labels at the ends of a line within the plot', () => {
    const { xAxis } = axesOf(chartOf('trends-line'))

    expect(xAxis.axisLabel).toMatchObject({ alignMinLabel: 'left', alignMaxLabel: 'right' })
    expect(toOption(chartOf('trends-line'), frame).grid).toMatchObject({ left: 10, right: 10 })
  })

  it('draws other values as a solid gray line, because dots mean an incomplete period', () => {
    const result = Array.from({ length: 12 }, (_, at) => {
      const value = at === 11 ? OTHER : `${at}`
      return trend(value, [1, 2], { breakdown_value: value })
    })
    const series = toOption(trendsChart(undefined, result), frame).series as unknown as readonly {
      readonly lineStyle: { readonly type: unknown }
      readonly itemStyle: { readonly color: string }
    }[]

    expect(series.at(-1)).toMatchObject({
      lineStyle: { type: 'solid' },
      itemStyle: { color: light.dimmed },
    })
    expect(series.map(({ lineStyle }) => lineStyle.type)).not.toContain('dotted')
  })

  it('shows every value of a number with a breakdown', () => {
    const chart = trendsChart('BoldNumber', [
      trend('a', [], { breakdown_value: 'Chrome', aggregated_value: 7 }),
      trend('a', [], { breakdown_value: 'Safari', aggregated_value: 5 }),
    ])
    const { graphic } = toOption(chart, frame) as unknown as {
      readonly graphic: readonly { readonly style: { readonly text?: string } }[]
    }

    expect(toTextView(chart)).toMatchObject({
      form: 'table',
      rows: [
        ['Chrome', 7],
        ['Safari', 5],
      ],
    })
    expect(graphic.map(({ style }) => style.text)).toEqual(
      expect.arrayContaining(['Chrome', '7', 'Safari', '5']),
    )
  })

  it('labels all cells of a retention table in one way', () => {
    const narrow = { ...frame, width: 312, height: 280 }
    const { graphic } = toOption(chartOf('retention'), narrow) as unknown as {
      readonly graphic: readonly { readonly style: { readonly text?: string } }[]
    }
    const texts = graphic.flatMap(({ style }) => style.text ?? [])

    expect(texts.slice(0, 9)).toEqual(['Percent', '0', '1', '2', '3', '4', '5', '6', '7'])
    expect(texts.slice(9, 11)).toEqual(['Mean', '2 Feb · 1.24k'])
    expect(texts).toContain('100')
    expect(texts.filter((text) => text.endsWith('%'))).toEqual([])
  })

  it('shortens the names of a legend where they do not differ, and shows them whole in a tooltip', () => {
    const urls = ['red', 'blue'].map((color) => `https://shop.test/all/products/${color}/overview`)
    const result = urls.map((url) => trend(url, [1, 2], { breakdown_value: url }))
    const { legend } = toOption(trendsChart(undefined, result), frame) as unknown as {
      readonly legend: { formatter(name: string): string; readonly tooltip: object }
    }

    expect(urls.map(legend.formatter)).toEqual([
      'https://shop.t…/red/overview',
      'https://shop.t…blue/overview',
    ])
    expect(legend.tooltip).toMatchObject({ show: true })
  })

  it('keeps the names of a pie apart on a phone', () => {
    const result = Array.from({ length: 12 }, (_, at) =>
      trend(`https://shop.test/products/category-${at}/overview`, [], {
        aggregated_value: 99 - at,
      }),
    )
    const { legend, series } = toOption(trendsChart('ActionsPie', result), {
      ...frame,
      width: 312,
      height: 300,
    }) as unknown as {
      readonly legend: { formatter(name: string): string }
      readonly series: readonly [{ readonly data: readonly { readonly name: string }[] }]
    }
    const labels = series[0].data.map(({ name }) => legend.formatter(name).split(' · ')[0])

    expect(new Set(labels).size).toBe(8)
    expect(labels.at(-1)).toBe('Other (5)')
  })

  it.each([
    ['trends-line', '3 series, 1 Mar to 30 Mar; highest: 6,971 of Page view at 30 Mar.'],
    ['trends-pie', '8 values, from /: 48,200 to /changelog: 3,975.'],
    ['funnel', 'Completed 4 steps: 941 of 12,840 people (7.3%).'],
    ['retention', '8 cohorts; 46% came back in Week 1.'],
    ['trends-number-compare', 'Page view: 128,459, +16.8% vs 110,020 previously.'],
    ['trends-empty', 'No events in this range.'],
    ['sql-table', '12 rows and 4 columns.'],
    ['funnel-times', 'People, 0 s to 2 h; highest: 320 at 0 s.'],
    ['paths', '9 values, from / → /pricing: 820 to /docs/start → /sign-up: 120.'],
  ])('summarizes %s in a sentence', (name, summary) => {
    expect(toPointedOption(chartOf(name), frame).summary).toBe(summary)
  })

  it.each(Object.keys(CHARTS))('has a summary: %s', (name) => {
    expect(toPointedOption(chartOf(name), frame).summary).toMatch(/^\S.+\.$/)
  })
})
