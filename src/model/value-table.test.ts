import { describe, expect, it } from 'vitest'
import { trend, trendsQuery } from '../../test/support/data/results.ts'
import { loadDrawings, toOption } from './charts/to-option.ts'
import type { DisplaySettings } from './display-settings.ts'
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
})
