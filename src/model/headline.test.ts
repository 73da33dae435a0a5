import { describe, expect, it } from 'vitest'
import { trend, trendsQuery } from '../../test/support/data/results.ts'
import { loadDrawings, toPointedOption } from './charts/to-option.ts'
import { readHeadline } from './headline.ts'
import { PLAIN } from './number-format.ts'
import { toSparkline } from './sparkline.ts'

await loadDrawings()

const compared = (now: number, before: number) => [
  trend('visit', [], { aggregated_value: now, compare_label: 'current' }),
  trend('visit', [], { aggregated_value: before, compare_label: 'previous' }),
]

describe('one number', () => {
  it.each([
    [12, 10, {}, { arrow: '↑', mood: 'green', amount: '20%', rest: 'vs 10 previously' }],
    [8, 10, {}, { arrow: '↓', mood: 'red', amount: '20%' }],
    [8, 10, { lowerIsBetter: true }, { arrow: '↓', mood: 'green' }],
    [12, 10, { lowerIsBetter: true }, { arrow: '↑', mood: 'red' }],
    [-4, -8, {}, { arrow: '↑', mood: 'green', amount: '50%' }],
    [5, 5, {}, { arrow: '', mood: 'dimmed', rest: '5 previously' }],
    [5, 0, {}, { arrow: '', mood: 'dimmed', rest: 'nothing previously' }],
  ])('%d after %d with %j has the change %j', (now, before, settings, change) => {
    expect(readHeadline(compared(now, before), PLAIN, settings)).toMatchObject({ change })
  })

  it('has no change without a comparison', () => {
    const headline = readHeadline([trend('visit', [1, 2])], PLAIN, {})

    expect(headline).toMatchObject({ name: 'visit', text: '3' })
    expect(headline).not.toHaveProperty('change')
  })

  it('is drawn with its numbers over time, beside it if the tile is low', () => {
    const result = [trend('visit', [1, 3, 2], { aggregated_value: 6 })]
    const shapes = (width: number, height: number) => {
      const frame = { scheme: 'light', animation: false, width, height } as const
      const chart = { title: '', query: trendsQuery('BoldNumber'), result }
      const graphic = toPointedOption(chart, frame).option.graphic as { type: string; x: number }[]
      return graphic.filter(({ type }) => type === 'polyline').map(({ x }) => x)
    }

    expect(shapes(400, 300)).toEqual([0])
    expect(shapes(400, 90)).toEqual([232])
    expect(shapes(180, 90)).toEqual([])
  })
})

describe('a sparkline', () => {
  const box = { width: 100, height: 24 }

  it('reaches from the lowest number to the highest', () => {
    expect(toSparkline({ data: [5, 10, 0] }, box)?.line).toEqual([
      [0, 12],
      [50, 2],
      [100, 22],
    ])
  })

  it('dots the way to the current interval', () => {
    const spark = toSparkline({ data: [1, 2, 0], unfinished: true }, box)

    expect(spark?.line.map(([x]) => x)).toEqual([0, 50])
    expect(spark?.end.map(([x]) => x)).toEqual([50, 100])
  })

  it('is level for equal numbers, and absent for fewer than three', () => {
    expect(toSparkline({ data: [7, 7, 7] }, box)?.line.map(([, y]) => y)).toEqual([12, 12, 12])
    expect(toSparkline({ data: [7, 8] }, box)).toBeUndefined()
  })
})
