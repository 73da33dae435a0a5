import { describe, expect, it } from 'vitest'
import type { Properties, PropertyFilter } from '#model/query-kinds/common.schema.ts'
import {
  describeFilter,
  filterPath,
  fromGroups,
  isComplete,
  type SavedFilter,
  STORED_NAMES,
  toGroups,
  toOperator,
  withOperator,
  withProperty,
} from './filters-model.ts'

const filter = (key: string): PropertyFilter => ({ key, value: ['x'], operator: 'exact' })
const [A, B, C] = [filter('a'), filter('b'), filter('c')] as const

const WAYS: readonly [string, Properties][] = [
  ['a list', [A, B]],
  ['any of a list', { type: 'OR', values: [A, B] }],
  [
    'groups',
    {
      type: 'OR',
      values: [
        { type: 'AND', values: [A, B] },
        { type: 'OR', values: [C] },
      ],
    },
  ],
]

describe('filters in the editor', () => {
  it.each(WAYS)('are written as they were read: %s', (_, properties) => {
    const groups = toGroups(properties)

    expect(groups && fromGroups(groups)).toEqual(properties)
  })

  it('are written in the simplest notation', () => {
    const all = toGroups({ type: 'AND', values: [{ type: 'AND', values: [A, B] }] })

    expect(all && fromGroups(all)).toEqual([A, B])
    expect(fromGroups({ type: 'OR', groups: [{ type: 'AND', filters: [] }] })).toBeUndefined()
  })

  it('are kept unchanged if they are nested too deeply', () => {
    const inner = { type: 'OR' as const, values: [A] }
    expect(toGroups({ type: 'AND', values: [{ type: 'AND', values: [inner, B] }] })).toBeUndefined()
  })

  it.each([
    ['1', WAYS[0]?.[1], 0, 1],
    ['values__1', WAYS[1]?.[1], 0, 1],
    ['values__0__values__1', WAYS[2]?.[1], 0, 1],
    ['values__1__values__0', WAYS[2]?.[1], 1, 0],
  ])('have the path %s in server errors', (path, properties, group, at) => {
    const groups = toGroups(properties)

    expect(groups && filterPath(groups, group, at)).toBe(path)
  })

  it.each<[boolean, Partial<PropertyFilter>]>([
    [false, { key: '' }],
    [false, { value: null }],
    [false, { value: [''] }],
    [true, { value: [0] }],
    [true, { value: null, operator: 'is_set' }],
    [false, { value: ['1'], operator: 'between' }],
    [false, { value: ['1', ''], operator: 'between' }],
    [true, { value: ['1', '2'], operator: 'between' }],
  ])('are complete (%s) with %j', (complete, part) => {
    expect(isComplete({ ...A, ...part })).toBe(complete)
  })

  it('keep only a value that the new operator can use', () => {
    expect(withOperator(A, 'is_not').value).toEqual(['x'])
    expect(withOperator(A, 'gt').value).toBeNull()
  })

  it('keep operator and value when the property changes, unless it becomes a cohort', () => {
    const plan = withProperty(A, { type: 'person', key: 'plan' })
    expect(plan).toEqual({ key: 'plan', type: 'person', operator: 'exact', value: ['x'] })
    const cohort = withProperty(plan, { type: 'cohort', key: 'id' })
    expect(cohort).toEqual({ key: 'id', type: 'cohort', operator: 'in', value: null })
    expect(withProperty(cohort, { type: 'event', key: 'a' }).value).toBeNull()
  })

  it.each([
    ['exact', 'in', 'exact'],
    ['is_not', 'not_in', 'is_not'],
    ['not_in', 'not_in', 'is_not'],
    [null, 'in', 'exact'],
  ] as const)('show %s as %s of a cohort, and as %s of a property', (operator, ofCohort, own) => {
    expect(toOperator({ key: 'id', type: 'cohort', operator })).toBe(ofCohort)
    expect(toOperator({ key: 'a', operator })).toBe(own)
  })

  it.each<[string, SavedFilter]>([
    ['plan is pro or team', { key: 'plan', value: ['pro', 'team'] }],
    ['person plan is not pro', { key: 'plan', type: 'person', operator: 'is_not', value: 'pro' }],
    ['price ≥ 5', { key: 'price', operator: 'gte', value: 5 }],
    ['price is between 5 and 9', { key: 'price', operator: 'between', value: [5, 9] }],
    ['email is set', { key: 'email', operator: 'is_set' }],
    ['not in cohort 3', { key: 'id', type: 'cohort', operator: 'not_in', value: 3 }],
    ['in cohort Paying', { key: 'id', type: 'cohort', value: 3, cohort_name: 'Paying' }],
  ])('read: %s', (words, filter_) => {
    expect(describeFilter(filter_)).toBe(words)
  })

  it('is described in words, or as stored', () => {
    const known: SavedFilter = {
      ...{ key: '$initial_referring_domain', type: 'person', operator: 'is_not' },
      value: ['$direct', 'a.com'],
    }

    expect(describeFilter(known)).toBe('person Initial referring domain is not Direct or a.com')
    expect(describeFilter(known, STORED_NAMES)).toBe(
      'person $initial_referring_domain is not $direct or a.com',
    )
  })
})
