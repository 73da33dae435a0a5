import { describe, expect, it } from 'vitest'
import { paletteOf, ruleColor, tinted } from '../palette.ts'
import { sql } from '../query-kinds/sql.ts'
import { loadDrawings, toOption } from './to-option.ts'

await loadDrawings()

const FRAME = { scheme: 'light', animation: false, width: 600, height: 300 } as const
const RED = tinted(paletteOf('light'), ruleColor(paletteOf('light'), 'red'))

const chartOf = (chartSettings: object, display = 'ActionsTable') => ({
  title: '',
  query: {
    kind: 'DataVisualizationNode',
    display,
    chartSettings,
    source: { kind: 'HogQLQuery', query: 'select 1' },
  },
  result: {
    columns: ['plan', 'people', 'mrr'],
    results: [
      ['pro', 3, 4],
      ['free', 2, 90],
    ],
  },
})

/** Lists the fills and the texts that are drawn. */
function drawn(chart: ReturnType<typeof chartOf>) {
  const { graphic } = toOption(chart, FRAME)
  const elements = graphic as { style: { fill?: string; text?: string } }[]
  return elements.map(({ style }) => style.text ?? style.fill)
}

describe('the display settings of an SQL result', () => {
  it('color the numbers of one column, in a picture as in the browser', () => {
    const colorRules = [{ operator: 'lt', value: 5, color: 'red', column: 'mrr' }] as const
    const chart = chartOf({ colorRules })

    expect(drawn(chart).filter((fill) => fill === RED)).toHaveLength(1)
    expect(sql.toTextView?.(chart)).toMatchObject({ form: 'table', rules: colorRules })
  })

  it('draw bars behind numbers and format them', () => {
    const chart = chartOf({ tableCells: 'bars', aggregationAxisPrefix: '~' })

    expect(drawn(chart)).toEqual(expect.arrayContaining(['~3', '~90']))
    expect(sql.toTextView?.(chart)).toMatchObject({ cells: 'bars' })
  })

  it('format and color a single number', () => {
    const colorRules = [{ operator: 'gt', value: 5, color: 'green', column: 'mrr' }]
    const { query } = chartOf({ colorRules, aggregationAxisFormat: 'percentage' }, 'BoldNumber')
    const result = { columns: ['mrr'], results: [[9]] }

    expect(sql.toTextView?.({ title: '', query, result })).toMatchObject({
      headline: { text: '9%', color: 'green' },
    })
  })

  it('draw goal lines and title the axes of a chart', () => {
    const goalLines = [{ label: 'Target', value: 50 }]
    const option = toOption(
      chartOf({ goalLines, yAxisLabel: 'Euro', xAxis: { column: 'plan' } }, 'ActionsBar'),
      FRAME,
    )

    expect(option.series).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          data: [
            [0, 50],
            [1, 50],
          ],
        }),
      ]),
    )
    expect(option.yAxis).toMatchObject({ name: 'Euro' })
  })
})
