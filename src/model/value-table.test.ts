import { describe, expect, it } from 'vitest'
import { trend, trendsQuery } from '../../test/support/data/results.ts'
import { loadDrawings, toOption } from './charts/to-option.ts'
import type { DisplaySettings } from './display-settings.ts'
import { paletteOf, ruleColor, tinted } from './palette.ts'
import { toValueTable } from './value-table.ts'

await loadDrawings()

const values = (...all: number[]) =>
  all.map((aggregated_value, at) =>
    trend(`v${at}`, [], { aggregated_value, breakdown_value: `v${at}` }),
  )

describe('a table of values', () => {
  it('has a total of events, but not of persons, of one value or of two periods', () => {
    const persons = values(1, 2).map((one) => ({
      ...one,
      action: one.action && { ...one.action, math: 'dau' },
    }))
    const periods = values(1, 2).map((one, at) => ({
      ...one,
      compare_label: at === 0 ? ('current' as const) : ('previous' as const),
    }))

    expect(toValueTable(values(1, 2), {}).total).toEqual(['Total', 3])
    for (const all of [persons, periods, values(1)]) {
      expect(toValueTable(all, {})).not.toHaveProperty('total')
    }
  })

  it('is drawn with bars or colors behind its numbers', () => {
    const widths = (tableCells: DisplaySettings['tableCells']) => {
      const query = { ...trendsQuery(), trendsFilter: { display: 'ActionsTable', tableCells } }
      const frame = { scheme: 'light', animation: false, width: 400, height: 300 } as const
      const { graphic } = toOption({ title: '', query, result: values(4, 1) }, frame)
      const boxes = graphic as { type: string; shape?: { width: number; height: number } }[]
      return boxes.flatMap(({ shape }) => (shape && shape.height > 1 ? [shape.width] : []))
    }
    const [long = 0, short = 0] = widths('bars')

    expect(long / short).toBeCloseTo(4)
    expect(new Set(widths('colors')).size).toBe(1)
    expect(widths('plain')).toEqual([])
  })

  it('is drawn with the colors of its rules, whatever is behind the other numbers', () => {
    const palette = paletteOf('light')
    const colorRules = [{ operator: 'gt', value: 3, color: 'red' }] as const
    const fills = (tableCells: DisplaySettings['tableCells']) => {
      const trendsFilter = { display: 'ActionsTable', tableCells, colorRules }
      const frame = { scheme: 'light', animation: false, width: 400, height: 300 } as const
      const chart = { title: '', query: { ...trendsQuery(), trendsFilter }, result: values(4, 1) }
      const { graphic } = toOption(chart, frame)
      const boxes = graphic as { shape?: { height: number }; style: { fill: string } }[]
      return boxes.flatMap(({ shape, style }) => (shape && shape.height > 1 ? [style.fill] : []))
    }
    const red = tinted(palette, ruleColor(palette, 'red'))

    expect(fills('plain')).toEqual([red])
    expect(fills('bars')).toEqual([red, expect.not.stringContaining(red)])
    expect(fills('colors')).toEqual([red, expect.not.stringContaining(red)])
  })
})
