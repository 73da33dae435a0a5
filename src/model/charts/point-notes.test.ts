import { describe, expect, it } from 'vitest'
import { trend } from '../../../test/support/data/results.ts'
import { PLAIN } from '../number-format.ts'
import { nameSeries } from '../series-names.ts'
import { toPointNotes } from './point-notes.ts'

const values = (name: string, data: number[], more = {}) =>
  trend(name, data, { breakdown_value: name, ...more })

describe('the notes of a tooltip', () => {
  it('have the share of the total and the change from the previous interval', () => {
    const notes = toPointNotes(nameSeries([values('a', [10, 30]), values('b', [10, 10])]), PLAIN)

    expect(notes.find('a', 0)).toEqual({ value: '10', note: '50%' })
    expect(notes.find('a', 1)).toEqual({ value: '30', note: '75% · +200%' })
    expect(notes.find('b', 1)).toEqual({ value: '10', note: '25%' })
    expect(notes.legend).toBe('Share of the total · change from the previous interval')
  })

  it('have no share of unique persons', () => {
    const persons = ['a', 'b'].map((name) => {
      const one = values(name, [1, 2])
      return { ...one, action: one.action && { ...one.action, math: 'dau' } }
    })

    expect(toPointNotes(nameSeries(persons), PLAIN).find('a', 1)).toEqual({
      value: '2',
      note: '+100%',
    })
  })

  it('compare with the previous period if there is one', () => {
    const both = [
      values('a', [6, 6], { compare_label: 'current' }),
      values('a', [8, 3], { compare_label: 'previous' }),
    ]
    const notes = toPointNotes(nameSeries(both), PLAIN)

    expect(notes.find('a', 0)).toEqual({ value: '6', note: '−25%' })
    expect(notes.find('a (previous)', 0)).toEqual({ value: '8', note: '' })
    expect(notes.legend).toBe('With the change from the previous period')
  })

  it('have no change of the current interval, after zero and of a name that is not shown', () => {
    const notes = toPointNotes(nameSeries([values('a', [0, 5, 2], { unfinished: true })]), PLAIN)

    expect(notes.find('a', 1)?.note).toBe('')
    expect(notes.find('a', 2)?.note).toBe('')
    expect(notes.find('x', 1)).toBeUndefined()
  })
})
