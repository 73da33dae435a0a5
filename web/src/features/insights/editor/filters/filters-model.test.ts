import { describe, expect, it } from 'vitest'
import type { Properties, PropertyFilter } from '#model/query-kinds/common.schema.ts'
import { filterPath, fromGroups, isComplete, toGroups, withOperator } from './filters-model.ts'

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
})
