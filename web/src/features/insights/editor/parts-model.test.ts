import { describe, expect, it } from 'vitest'
import type { QueryNode } from '#model/query-kinds/index.ts'
import { toPropertyText } from '../kinds/sql/sql-words.ts'
import { listBreakdowns, withBreakdown } from './breakdown/breakdown-model.ts'
import { findIncomplete } from './display/incomplete.ts'
import {
  draftChanges,
  type InsightDraft,
  describeQuery as nameOf,
  toInsightDraft,
} from './draft.ts'
import { toFieldPath } from './errors.tsx'
import { formulaPath, listFormulas, withFormula } from './formula/formula-model.ts'
import { newNode } from './query-model.ts'

describe('formula', () => {
  it('is read in every notation that clients use', () => {
    expect(listFormulas({ formula: 'A' })).toEqual(['A'])
    expect(listFormulas({ formulas: ['A', 'B'] })).toEqual(['A', 'B'])
    expect(listFormulas({ formula: 'C', formulaNodes: [{ formula: 'A+B' }] })).toEqual(['A+B'])
  })

  it('is written alone or in a list, and keeps its name', () => {
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

  it('has the path of the server error', () => {
    expect(formulaPath({ formula: 'A +' }, 0)).toBe('trendsFilter__formula')
    expect(formulaPath({ formulaNodes: [{ formula: 'A' }] }, 0)).toBe(
      'trendsFilter__formulaNodes__0',
    )
  })
})

describe('breakdown', () => {
  const [A, B] = [
    { type: 'event', key: 'a' },
    { type: 'event', key: 'b' },
  ] as const
  const PLAN = { type: 'person', key: 'plan' } as const

  it('is read in every notation that clients use', () => {
    expect(listBreakdowns({ breakdown: 'a' })).toEqual([A])
    expect(listBreakdowns({ breakdown: ['a', 'b'] })).toEqual([A, B])
    expect(listBreakdowns({ breakdown: 'plan', breakdown_type: 'person' })).toEqual([PLAN])
    const breakdowns = [{ property: 'a' }, { property: 'plan', type: 'person' as const }]
    expect(listBreakdowns({ breakdowns })).toEqual([A, PLAN])
    expect(listBreakdowns(null)).toEqual([])
  })

  it('shows cohorts as one choice, which a property replaces', () => {
    const cohorts = { breakdown_type: 'cohort' as const, breakdown: [1, 'all'] }

    expect(listBreakdowns(cohorts)).toEqual([{ type: 'cohort', key: 'id' }])
    expect(withBreakdown(cohorts, 0, A)).toEqual({ breakdown_type: 'event', breakdown: 'a' })
    expect(withBreakdown(cohorts, 0, undefined)).toBeNull()
  })

  it('is written as one property or several, and keeps its limit', () => {
    const one = withBreakdown({ breakdown_limit: 5 }, 0, A)
    expect(one).toEqual({ breakdown_limit: 5, breakdown_type: 'event', breakdown: 'a' })
    expect(withBreakdown(one ?? {}, 1, B)).toMatchObject({ breakdown: ['a', 'b'] })
    expect(withBreakdown(one ?? {}, 0, undefined)).toBeNull()
  })

  it('keeps the type of each property', () => {
    const plan = withBreakdown({}, 0, PLAN)
    expect(plan).toEqual({ breakdown_type: 'person', breakdown: 'plan' })
    const both = withBreakdown(plan ?? {}, 1, A)
    expect(both).toEqual({
      breakdowns: [
        { property: 'plan', type: 'person' },
        { property: 'a', type: 'event' },
      ],
    })
    expect(withBreakdown(both ?? {}, 1, undefined)).toEqual(plan)
    const metadata = { breakdown: 'event', breakdown_type: 'event_metadata' as const }
    expect(listBreakdowns(withBreakdown(metadata, 1, A))[0]).toEqual({
      type: 'event_metadata',
      key: 'event',
    })
  })
})

describe('breakdown by a property of groups', () => {
  const GROUP = {
    breakdown: 'tier',
    breakdown_type: 'group',
    breakdown_group_type_index: 2,
  } as const

  it('keeps the type of the groups when another breakdown comes and goes', () => {
    const two = withBreakdown(GROUP, 1, { type: 'event', key: 'a' })

    expect(two).toEqual({
      breakdowns: [
        { property: 'tier', type: 'group', group_type_index: 2 },
        { property: 'a', type: 'event' },
      ],
    })
    expect(withBreakdown(two ?? {}, 1, undefined)).toEqual(GROUP)
  })

  it('leaves no type of groups behind', () => {
    expect(withBreakdown(GROUP, 0, { type: 'event', key: 'a' })).toEqual({
      breakdown: 'a',
      breakdown_type: 'event',
    })
  })
})

describe('draft', () => {
  const base = toInsightDraft(undefined, 7) as InsightDraft

  it('of a new insight belongs to the dashboard it was started from', () => {
    expect(base.dashboards).toEqual([7])
  })

  it('contains only values that differ', () => {
    expect(draftChanges(base, { name: '', query: newNode('TrendsQuery') })).toEqual({})
    expect(draftChanges(base, { name: 'x', tags: [] })).toEqual({ name: 'x' })
  })

  it('without a name is named after its query', () => {
    const query = newNode('FunnelsQuery')
    const series = [{ event: 'a' }, { event: 'b', custom_name: 'Bought' }]
    const funnel = { ...query, source: { ...query.source, series } } as QueryNode
    expect(nameOf(funnel)).toBe('Funnel: a → Bought')
  })
})

describe('incomplete query', () => {
  it('names the missing part', () => {
    const trend = newNode('TrendsQuery')
    const withSum = {
      ...trend,
      source: { ...trend.source, series: [{ event: 'a', math: 'sum' }] },
    } as QueryNode

    expect(findIncomplete(trend)).toBeUndefined()
    expect(findIncomplete(withSum)).toMatch('property')
  })
})

describe('path of a server error', () => {
  it.each([
    ['query__source__series__0__math', 'series__0__math'],
    ['query__series__0__math', 'series__0__math'],
    ['query__source__source__query', 'query'],
    ['query__source__query', 'query'],
  ])('%s becomes %s', (attr, path) => {
    expect(toFieldPath(attr)).toBe(path)
  })
})

describe('property in SQL', () => {
  it.each([
    ['$browser', '.$browser'],
    ['a.b', "['a.b']"],
    ["it's", "['it''s']"],
  ])('writes %s as %s', (name, text) => {
    expect(toPropertyText(name)).toBe(text)
  })
})
