import { describe, expect, it } from 'vitest'
import { trend, trendsQuery } from '../../../test/support/data/results.ts'
import { toScale } from './gauge.ts'
import { loadDrawings, toOption, toPointedOption } from './to-option.ts'

await loadDrawings()

const frame = { scheme: 'light', animation: false, width: 480, height: 300 } as const

interface Shape {
  readonly type: string
  readonly shape: { readonly endAngle: number }
  readonly style: { readonly text?: string }
}

function drawGauge(value: number, settings: object = {}) {
  const query = { ...trendsQuery(), trendsFilter: { display: 'Gauge', ...settings } }
  const chart = { title: '', query, result: [trend('paid', [], { aggregated_value: value })] }
  const shapes = toOption(chart, frame).graphic as unknown as readonly Shape[]
  const [, arc] = shapes.filter(({ type }) => type === 'sector')
  return {
    share: (arc?.shape.endAngle ?? 0) / Math.PI - 1,
    texts: shapes.flatMap(({ style: { text } }) => text ?? []),
    marks: shapes.filter(({ type }) => type === 'line').length,
    summary: toPointedOption(chart, frame).summary,
  }
}

describe('a gauge', () => {
  it('fills its half circle by the share of the scale', () => {
    expect(drawGauge(25, { yAxisMin: 0, yAxisMax: 100 }).share).toBeCloseTo(0.25)
    expect(drawGauge(0).share).toBe(0)
    expect(drawGauge(999, { yAxisMax: 100 }).share).toBe(1)
    expect(drawGauge(5, { yAxisMin: 10, yAxisMax: 20 }).share).toBe(0)
  })

  it('shows the number, its scale and its goals', () => {
    const goalLines = [
      { label: 'Plan', value: 80 },
      { label: 'Quiet', value: 10, displayLabel: false },
    ]

    const { texts, marks, summary } = drawGauge(42, { goalLines })

    expect(texts).toEqual(['42', '0', '100', 'paid', 'Plan'])
    expect(marks).toBe(2)
    expect(summary).toBe('paid: 42, on a scale from 0 to 100.')
  })

  it.each([
    ['a round number', [42], {}, { min: 0, max: 50 }],
    ['the whole of a share', [42], { aggregationAxisFormat: 'percentage' }, { min: 0, max: 100 }],
    [
      'the whole of a fraction',
      [0.4],
      { aggregationAxisFormat: 'percentage_scaled' },
      { min: 0, max: 1 },
    ],
    ['the highest goal', [4, 70], {}, { min: 0, max: 100 }],
    ['below zero', [-42], {}, { min: -50, max: 0 }],
    ['something without a value', [0], {}, { min: 0, max: 1 }],
    ['something if its ends are swapped', [5], { yAxisMin: 9, yAxisMax: 3 }, { min: 9, max: 10 }],
  ] as const)('has a scale up to %s', (_, values, settings, scale) => {
    expect(toScale(values, settings)).toEqual(scale)
  })
})
