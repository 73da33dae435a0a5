import { describe, expect, it } from 'vitest'
import { trend, trendsQuery } from '../../test/support/data/results.ts'
import type { Chart } from './chart.ts'
import { loadDrawings, toOption } from './charts/to-option.ts'
import {
  displayOf,
  SQL_DISPLAYS,
  TREND_DISPLAYS,
  type TrendDisplay,
  toOptions,
} from './displays.ts'
import { toTextView } from './query-kinds/index.ts'
import { trends } from './query-kinds/trends.ts'

await loadDrawings()

const frame = { scheme: 'light', animation: false, width: 640, height: 360 } as const

const trendChart = (display: string): Chart => ({
  title: '',
  query: trendsQuery(display),
  result: [trend('visit', [5, 2, 1], { aggregated_value: 8 })],
})

const sqlChart = (display: string): Chart => ({
  title: '',
  query: { kind: 'DataVisualizationNode', display, source: { kind: 'HogQLQuery', query: '' } },
  result: { columns: ['day', 'orders'], results: [['2026-03-01', 5]] },
})

interface DrawnSeries {
  readonly type: string
  readonly stack?: string
  readonly areaStyle?: object
}

/** Names what a chart consists of. */
function look(chart: Chart): string {
  const { series, graphic, xAxis } = toOption(chart, frame) as unknown as {
    readonly series?: readonly DrawnSeries[]
    readonly graphic?: readonly {
      readonly type?: string
      readonly style?: { readonly text?: string }
    }[]
    readonly xAxis?: { readonly type: string }
  }
  const [first] = series ?? []
  if (first && xAxis?.type === 'value') return 'bars of totals'
  if (first) return `${first.stack ? 'stacked ' : ''}${first.areaStyle ? 'area' : first.type}`
  if (graphic?.some(({ type }) => type === 'sector')) return 'gauge'
  const texts = graphic?.map(({ style }) => style?.text)
  return texts?.includes('Mon') ? 'calendar' : (toTextView(chart)?.form ?? 'nothing')
}

const TREND_LOOKS: Readonly<Record<TrendDisplay, string>> = {
  ActionsLineGraph: 'line',
  ActionsLineGraphCumulative: 'line',
  ActionsAreaGraph: 'stacked area',
  ActionsBar: 'stacked bar',
  ActionsStackedBar: 'stacked bar',
  ActionsUnstackedBar: 'bar',
  ActionsBarValue: 'bars of totals',
  WorldMap: 'bars of totals', // of values that are no countries
  BoldNumber: 'number',
  Gauge: 'gauge',
  ActionsPie: 'pie',
  ActionsTable: 'table',
  CalendarHeatmap: 'calendar',
  BoxPlot: 'line', // of numbers that are no boxes
}

const SQL_LOOKS: Readonly<Record<keyof typeof SQL_DISPLAYS, string>> = {
  ActionsTable: 'table',
  ActionsLineGraph: 'line',
  ActionsAreaGraph: 'stacked area',
  ActionsBar: 'bar',
  ActionsStackedBar: 'stacked bar',
  BoldNumber: 'number',
}

describe('a display of trends', () => {
  it.each(Object.keys(TREND_DISPLAYS))('%s has a drawing', (name) => {
    expect(look(trendChart(name))).toBe(TREND_LOOKS[name as TrendDisplay])
  })

  it('is offered once', () => {
    const labels = toOptions(TREND_DISPLAYS).map((option) => option.label)
    const drawn = Object.values(TREND_DISPLAYS).map((display) => display.label)

    expect(labels).toEqual([...new Set(drawn)])
    expect(toOptions(TREND_DISPLAYS)).toContainEqual({
      value: 'CalendarHeatmap',
      label: 'Calendar heatmap',
    })
  })

  it('is chosen in the query', () => {
    const before = { kind: 'InsightVizNode', display: 'ActionsBar', source: trends.newQuery }

    const node = trends.display?.set(before, 'ActionsPie')

    expect(node?.source.trendsFilter).toEqual({ display: 'ActionsPie' })
    expect(displayOf(TREND_DISPLAYS, node).form).toBe('pie')
  })

  it.each([
    'SlopeGraph',
    'constructor',
    '__proto__',
    null,
    undefined,
    5,
    ['ActionsPie'],
    { toString: 1, valueOf: 1 },
  ])('is the default for %j', (name) => {
    const query = { kind: 'TrendsQuery', trendsFilter: { display: name } }

    expect(displayOf(TREND_DISPLAYS, query)).toBe(TREND_DISPLAYS.ActionsLineGraph)
  })

  it('follows the outermost node', () => {
    const query = {
      kind: 'InsightVizNode',
      display: 'ActionsPie',
      source: trendsQuery('ActionsBar'),
    }

    expect(displayOf(TREND_DISPLAYS, query).form).toBe('pie')
  })
})

describe('a display of SQL', () => {
  it.each(Object.keys(SQL_DISPLAYS))('%s has a drawing', (name) => {
    expect(look(sqlChart(name))).toBe(SQL_LOOKS[name as keyof typeof SQL_DISPLAYS])
  })

  it('is a table for a display that only trends have', () => {
    expect(look(sqlChart('ActionsPie'))).toBe('table')
  })
})
