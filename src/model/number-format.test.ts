import { describe, expect, it } from 'vitest'
import { trend, trendsQuery } from '../../test/support/data/results.ts'
import type { Chart } from './chart.ts'
import { loadDrawings, toPointedOption } from './charts/to-option.ts'
import { formatChange, toNumberFormat } from './number-format.ts'
import { toTextView } from './query-kinds/index.ts'

await loadDrawings()

const frame = { scheme: 'light', animation: false, width: 640, height: 340 } as const

describe('the format of numbers', () => {
  it.each([
    [{}, 1234.567, '1,234.57', '1.23k'],
    [{ aggregationAxisFormat: 'numeric', decimalPlaces: 0 }, 1234.567, '1,235', '1.23k'],
    [{ decimalPlaces: 4 }, 0.12345, '0.1235', '0.123'],
    [{ minDecimalPlaces: 2 }, 5, '5.00', '5'],
    [{ minDecimalPlaces: 3, decimalPlaces: 1 }, 0.5, '0.500', '0.5'],
    [{ decimalPlaces: 10 }, 1e-7, '0.0000001', '1e-7'],
    [{ aggregationAxisFormat: 'short' }, 1234.567, '1.23k', '1.23k'],
    [{ aggregationAxisFormat: 'percentage' }, 12.345, '12.35%', '12.3%'],
    [{ aggregationAxisFormat: 'percentage_scaled', decimalPlaces: 1 }, 0.1234, '12.3%', '12.3%'],
    [{ aggregationAxisFormat: 'duration' }, 132, '2 min 12 s', '2.2 min'],
    [{ aggregationAxisFormat: 'duration' }, 0.85, '850 ms', '0.85 s'],
    [{ aggregationAxisFormat: 'duration' }, 3599.8, '1 h', '60 min'],
    [{ aggregationAxisFormat: 'duration' }, 266_400, '3 d 2 h', '3.1 d'],
    [{ aggregationAxisFormat: 'duration' }, -90, '-1 min 30 s', '-1.5 min'],
    [{ aggregationAxisFormat: 'duration_ms' }, 64_000, '1 min 4 s', '1.1 min'],
    [{ aggregationAxisFormat: 'currency' }, 1234.5, '$1,234.50', '$1.23k'],
    [{ aggregationAxisFormat: 'currency' }, 1234, '$1,234', '$1.23k'],
    [
      { aggregationAxisFormat: 'currency', aggregationAxisCurrency: 'JPY' },
      1234.5,
      '¥1,235',
      '¥1.23k',
    ],
    [
      { aggregationAxisFormat: 'currency', aggregationAxisCurrency: 'CHF' },
      -9.5,
      '-CHF 9.50',
      '-CHF 9.5',
    ],
    [{ aggregationAxisFormat: 'bytes' }, 999_950, '1 MB', '1 MB'],
    [{ aggregationAxisFormat: 'bytes' }, 0, '0 B', '0 B'],
    [{ aggregationAxisPrefix: '~', aggregationAxisPostfix: ' req' }, -5, '-~5 req', '-~5 req'],
    [{ aggregationAxisPostfix: '\u202e!' }, 5, '5 !', '5 !'],
    [{ decimalPlaces: 0 }, -0.2, '0', '-0.2'],
    [{ aggregationAxisPrefix: '$' }, Number.NaN, '–', '–'],
  ] as const)('%j shows %d as %s, briefly %s', (settings, value, full, short) => {
    const format = toNumberFormat(settings)

    expect(format.full(value)).toBe(full)
    expect(format.short(value)).toBe(short)
  })

  it('compares in the same format', () => {
    const format = toNumberFormat({ aggregationAxisFormat: 'currency' })

    expect(formatChange(20, 10, format)).toBe('+100% vs $10 previously')
  })

  it.each(['ActionsLineGraph', 'ActionsBar', 'ActionsPie', 'ActionsBarValue', 'BoldNumber'])(
    'formats %s in its description and tooltips',
    (display) => {
      const chart = euros(display)
      const { summary, format } = toPointedOption(chart, frame)

      expect(summary).toContain('€1,200')
      if (display !== 'BoldNumber') expect(format?.full(3)).toBe('€3')
    },
  )

  it('formats numbers and tables', () => {
    expect(toTextView(euros('BoldNumber'))).toMatchObject({ headline: { text: '€1,200' } })
    const table = toTextView(euros('ActionsTable'))
    expect(table?.form === 'table' && table.format.full(1200)).toBe('€1,200')
  })
})

const euros = (display: string): Chart => ({
  title: '',
  query: {
    ...trendsQuery(),
    trendsFilter: {
      display,
      aggregationAxisFormat: 'currency',
      aggregationAxisCurrency: 'EUR',
    },
  },
  result: [trend('revenue', [1200], { aggregated_value: 1200 })],
})
