import { describe, expect, it } from 'vitest'
import { toTextView } from './index.ts'
import { readTable } from './sql-table.ts'

const WEEKLY = {
  columns: ['week', 'browser', 'count()'],
  results: [
    ['2026-03-09', 'Chrome', 40],
    ['2026-03-02', 'Chrome', 30],
    ['2026-03-02', 'Safari', 90],
    ['2026-03-16', 'Safari', 7],
  ],
}

const chartOf = (result: object, chartSettings?: object, display = 'ActionsLineGraph') => ({
  title: '',
  query: {
    kind: 'DataVisualizationNode',
    source: { kind: 'HogQLQuery', query: 'select 1' },
    display,
    ...(chartSettings && { chartSettings }),
  },
  result,
})

const linesOf = (result: object, chartSettings?: object) =>
  readTable(chartOf(result, chartSettings)).lines.map(({ label, days, data }) => ({
    label,
    days,
    data,
  }))

describe('the lines of SQL', () => {
  it('are one per value of a text column if the times repeat, the largest first', () => {
    const days = ['2026-03-02', '2026-03-09', '2026-03-16']

    expect(linesOf(WEEKLY)).toEqual([
      { label: 'Safari', days, data: [90, 0, 7] },
      { label: 'Chrome', days, data: [30, 40, 0] },
    ])
  })

  it('are one per number column if the times do not repeat', () => {
    const result = {
      columns: ['plan', 'day', 'orders', 'revenue'],
      results: [
        ['free', '2026-03-01', 1, 10],
        ['team', '2026-03-02', 2, 20],
      ],
    }

    expect(linesOf(result)).toMatchObject([
      { label: 'orders', days: ['2026-03-01', '2026-03-02'], data: [1, 2] },
      { label: 'revenue', data: [10, 20] },
    ])
  })

  it('name value and column if both differ', () => {
    const result = {
      columns: ['day', 'plan', 'orders', 'users'],
      results: [
        ['2026-03-01', 'free', 1, 5],
        ['2026-03-01', 'team', 2, 6],
      ],
    }

    expect(linesOf(result).map(({ label }) => label)).toEqual([
      'team · users',
      'free · users',
      'team · orders',
      'free · orders',
    ])
  })

  it('follow the chosen columns', () => {
    const settings = {
      xAxis: { column: 'browser' },
      yAxis: [{ column: 'count()' }],
      seriesBreakdownColumn: 'week',
    }

    expect(linesOf(WEEKLY, settings)).toMatchObject([
      { label: '2026-03-02', days: ['Chrome', 'Safari'], data: [30, 90] },
      { label: '2026-03-09', data: [40, 0] },
      { label: '2026-03-16', data: [0, 7] },
    ])
  })

  it('are one per number column if no series are wanted', () => {
    expect(linesOf(WEEKLY, { seriesBreakdownColumn: null })).toMatchObject([
      { label: 'count()', data: [40, 30, 90, 7] },
    ])
  })

  it('do not add up rows of the same time and value', () => {
    const result = {
      columns: ['day', 'browser', 'country', 'users'],
      results: [
        ['2026-03-01', 'Chrome', 'DE', 5],
        ['2026-03-01', 'Chrome', 'FR', 6],
      ],
    }

    expect(readTable(chartOf(result))).toMatchObject({ lines: [], display: { form: 'table' } })
  })

  it('ignore columns that the rows do not have', () => {
    const settings = { xAxis: { column: 'gone' }, yAxis: [{ column: 'gone' }, { column: 7 }] }

    expect(linesOf(WEEKLY, settings)).toEqual(linesOf(WEEKLY))
  })
})

describe('a number of SQL', () => {
  it('is one number if there is one', () => {
    const view = toTextView(chartOf({ columns: ['n'], results: [[7]] }, undefined, 'BoldNumber'))

    expect(view).toMatchObject({ form: 'number', headline: { name: 'n', text: '7' } })
  })

  it('is a table of the rows if there are several, not their sum', () => {
    const result = {
      columns: ['day', 'users'],
      results: [
        ['2026-03-01', 3],
        ['2026-03-02', 4],
      ],
    }

    expect(toTextView(chartOf(result, undefined, 'BoldNumber'))).toMatchObject({
      form: 'table',
      rows: result.results,
    })
  })

  it('is a table of all values if there are several', () => {
    const result = { columns: ['orders', 'users'], results: [[3, 4]] }

    expect(toTextView(chartOf(result, undefined, 'BoldNumber'))).toMatchObject({
      form: 'table',
      rows: [
        ['orders', 3],
        ['users', 4],
      ],
    })
  })
})
