import { describe, expect, it } from 'vitest'
import type { QueryNode } from '#model/query-kinds/index.ts'
import { listBreakdowns, withBreakdown } from './breakdown/breakdown-model.ts'
import { findIncomplete } from './display/incomplete.ts'
import { type Draft, draftChanges, describeQuery as nameOf, toDraft } from './draft.ts'
import { toFieldPath } from './errors.tsx'
import { formulaPath, listFormulas, withFormula } from './formula/formula-model.ts'
import { newNode } from './query-model.ts'
import { toPropertyText } from './sql/sql-words.ts'

describe('a formula', () => {
  it('is read in each way that clients write it', () => {
    expect(listFormulas({ formula: 'A' })).toEqual(['A'])
    expect(listFormulas({ formulas: ['A', 'B'] })).toEqual(['A', 'B'])
    expect(listFormulas({ formula: 'C', formulaNodes: [{ formula: 'A+B' }] })).toEqual(['A+B'])
  })

  it('is written by itself, or in a list of several, and names stay', () => {
    expect(withFormula({ display: 'BoldNumber' }, 0, 'A/B')).toEqual({
      display: 'BoldNumber',
      formula: 'A/B',
    })
    expect(withFormula({ formula: 'A' }, 1, 'B')).toEqual({
      formulaNodes: [{ formula: 'A' }, { formula: 'B' }],
    })
    const named = { formulaNodes: [{ formula: 'A', custom_name: 'Rate' }] }
    expect(withFormula(named, 0, 'B')).toEqual({
      formulaNodes: [{ formula: 'B', custom_name: 'Rate' }],
    })
    expect(withFormula({ formula: 'A' }, 0, '')).toEqual({})
  })

  it('is found where the server says that it is wrong', () => {
    expect(formulaPath({ formula: 'A +' }, 0)).toBe('trendsFilter__formula')
    expect(formulaPath({ formulaNodes: [{ formula: 'A' }] }, 0)).toBe(
      'trendsFilter__formulaNodes__0',
    )
  })
})

describe('a breakdown', () => {
  it('is read in each way that clients write it', () => {
    expect(listBreakdowns({ breakdown: 'a' })).toEqual(['a'])
    expect(listBreakdowns({ breakdown: ['a', 'b'] })).toEqual(['a', 'b'])
    expect(listBreakdowns({ breakdowns: [{ property: 'a' }] })).toEqual(['a'])
    expect(listBreakdowns(null)).toEqual([])
  })

  it('is written as one property or as several, and keeps its limit', () => {
    const one = withBreakdown({ breakdown_limit: 5 }, 0, 'a')
    expect(one).toEqual({ breakdown_limit: 5, breakdown_type: 'event', breakdown: 'a' })
    expect(withBreakdown(one, 1, 'b')).toMatchObject({ breakdown: ['a', 'b'] })
    expect(withBreakdown(one, 0, null)).toBeNull()
  })
})

describe('a draft', () => {
  const base = toDraft(undefined, 7) as Draft

  it('of a new insight is meant for the dashboard it was begun from', () => {
    expect(base.dashboards).toEqual([7])
  })

  it('has changed by what is different, not by what was touched', () => {
    expect(draftChanges(base, { name: '', query: newNode('TrendsQuery') })).toEqual({})
    expect(draftChanges(base, { name: 'x', tags: [] })).toEqual({ name: 'x' })
  })

  it('without a name is called by what it asks', () => {
    const query = newNode('FunnelsQuery')
    const series = [{ event: 'a' }, { event: 'b', custom_name: 'Bought' }]
    const funnel = { ...query, source: { ...query.source, series } } as QueryNode
    expect(nameOf(funnel)).toBe('Funnel: a → Bought')
  })
})

describe('what is not finished', () => {
  it('is said, and nothing is asked until then', () => {
    const trend = newNode('TrendsQuery')
    const withSum = {
      ...trend,
      source: { ...trend.source, series: [{ event: 'a', math: 'sum' }] },
    } as QueryNode

    expect(findIncomplete(trend)).toBeUndefined()
    expect(findIncomplete(withSum)).toMatch('property')
  })
})

describe('where the server points', () => {
  it.each([
    ['query__source__series__0__math', 'series__0__math'],
    ['query__series__0__math', 'series__0__math'],
    ['query__source__source__query', 'query'],
    ['query__source__query', 'query'],
  ])('%s is %s of what is edited', (attr, path) => {
    expect(toFieldPath(attr)).toBe(path)
  })
})

describe('a property in SQL', () => {
  it.each([
    ['$browser', '.$browser'],
    ['a.b', "['a.b']"],
    ["it's", "['it''s']"],
  ])('%s is written %s', (name, text) => {
    expect(toPropertyText(name)).toBe(text)
  })
})
