import { describe, expect, it } from 'vitest'
import { NONE, OTHER } from '#model/format.ts'
import { toValueFilters } from './value-filters.ts'

const filtersOf = (breakdownFilter: object | null, value: unknown, label?: string) =>
  toValueFilters(
    {
      query: { kind: 'InsightVizNode', source: { kind: 'TrendsQuery', breakdownFilter } },
      result: [{}, { breakdown_value: value, breakdown_label: label }],
    },
    { series: 1 },
  )

const browser = { key: '$browser', type: 'event' }

describe('the filter of a clicked value', () => {
  it.each([
    [{ breakdown: '$browser' }, 'Firefox', [{ ...browser, operator: 'exact', value: ['Firefox'] }]],
    [{ breakdown: '$browser' }, NONE, [{ ...browser, operator: 'is_not_set' }]],
    [{ breakdown: '$browser' }, 'a::b', [{ ...browser, operator: 'exact', value: ['a::b'] }]],
    [
      { breakdown: 'plan', breakdown_type: 'group', breakdown_group_type_index: 1 },
      7,
      [{ key: 'plan', type: 'group', group_type_index: 1, operator: 'exact', value: ['7'] }],
    ],
    [
      { breakdowns: [{ property: '$browser' }, { property: 'plan', type: 'person' }] },
      `Firefox::${NONE}`,
      [
        { ...browser, operator: 'exact', value: ['Firefox'] },
        { key: 'plan', type: 'person', operator: 'is_not_set' },
      ],
    ],
  ])('of %j and %s is %j', (breakdown, value, expected) => {
    expect(filtersOf(breakdown, value)).toEqual(expected)
  })

  it('names the cohort', () => {
    expect(filtersOf({ breakdown: [3], breakdown_type: 'cohort' }, 3, 'Paying')).toEqual([
      { key: 'id', type: 'cohort', operator: 'in', value: 3, cohort_name: 'Paying' },
    ])
  })

  it('is the same for the steps of a funnel', () => {
    const query = { kind: 'FunnelsQuery', breakdownFilter: { breakdown: '$browser' } }
    const result = [[{ breakdown_value: 'Safari' }, { breakdown_value: 'Safari' }]]

    expect(toValueFilters({ query, result }, { series: 0, index: 1 })).toEqual([
      { ...browser, operator: 'exact', value: ['Safari'] },
    ])
  })

  it.each([
    [null, undefined],
    [{ breakdown: '$browser' }, undefined],
    [{ breakdown: '$browser' }, OTHER],
    [{ breakdown: ['all'], breakdown_type: 'cohort' }, 'all'],
    [{ breakdown: ['$browser', 'plan'] }, 'a::b::c'],
  ])('does not exist for %j and %s', (breakdown, value) => {
    expect(filtersOf(breakdown, value)).toBeUndefined()
  })
})
