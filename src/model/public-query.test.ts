import { describe, expect, it } from 'vitest'
import { toPublicQuery } from './public-query.ts'

const QUERY = { kind: 'TrendsQuery', series: [{ event: 'secret' }], interval: 'week' }
const RULE = { operator: 'lt', value: 5, color: 'red', column: 'mrr' }
const SHOWN = { display: 'BoldNumber', aggregationAxisFormat: 'currency', decimalPlaces: 0 }

describe('the public part of a query', () => {
  it('keeps the drawing settings and drops events, filters and SQL', () => {
    const query = {
      kind: 'DataVisualizationNode',
      display: 'ActionsBar',
      chartSettings: { xAxis: { column: 'day' }, colorRules: [RULE] },
      source: { kind: 'HogQLQuery', query: 'select secret' },
    }

    expect(toPublicQuery(query, '')).toEqual({ ...query, source: { kind: 'HogQLQuery' } })
    const withNote = { ...query, chartSettings: { ...query.chartSettings, note: 'secret' } }
    expect(toPublicQuery(withNote, '')).toEqual(toPublicQuery(query, ''))
    expect(toPublicQuery({ ...QUERY, trendsFilter: { ...SHOWN, formula: 'A' } }, '')).toEqual({
      kind: 'TrendsQuery',
      interval: 'week',
      trendsFilter: SHOWN,
    })
    const funnelsFilter = { layout: 'horizontal', funnelWindowInterval: 3 }
    expect(toPublicQuery({ kind: 'FunnelsQuery', funnelsFilter }, '')).toEqual({
      kind: 'FunnelsQuery',
      funnelsFilter: { layout: 'horizontal' },
    })
  })

  it('names only values of breakdowns that the result shows', () => {
    const keyOf = (value: string) => JSON.stringify({ series: 0, breakdown_value: [value] })
    const colors = { [keyOf('Firefox')]: { color: 'preset-2' }, '{"series":0}': { hidden: true } }
    const resultCustomizations = { ...colors, [keyOf('secret')]: { color: 'preset-1' }, secret: {} }
    const query = { ...QUERY, trendsFilter: { resultCustomizations } }

    expect(toPublicQuery(query, '[{"breakdown_value":"Firefox"}]').trendsFilter).toEqual({
      resultCustomizations: colors,
    })
  })
})
