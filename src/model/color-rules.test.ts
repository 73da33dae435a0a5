import { expect, it } from 'vitest'
import { type ColorRule, findColor } from './color-rules.ts'

const RANGE = { value: 2, to: 4 }

it.each<[ColorRule['operator'], readonly number[]]>([
  ['gt', [3, 4, 5]],
  ['gte', [2, 3, 4, 5]],
  ['lt', [1]],
  ['lte', [1, 2]],
  ['exact', [2]],
  ['between', [2, 3, 4]],
])('the rule "%s" colors the numbers that meet it', (operator, expected) => {
  const rules: ColorRule[] = [{ ...RANGE, operator, color: 'red' }]

  expect([1, 2, 3, 4, 5].filter((value) => findColor(value, rules) === 'red')).toEqual(expected)
})

it('the first rule that a number meets decides', () => {
  const rules: ColorRule[] = [
    { operator: 'gt', value: 10, color: 'green' },
    { operator: 'gt', value: 5, color: 'orange' },
  ]

  expect([11, 6, 5].map((value) => findColor(value, rules))).toEqual(['green', 'orange', undefined])
})

it('a rule of a column colors no other', () => {
  const rules: ColorRule[] = [
    { operator: 'gt', value: 5, color: 'green', column: 'mrr' },
    { operator: 'gt', value: 5, color: 'orange' },
  ]

  expect(['mrr', 'people', undefined].map((column) => findColor(6, rules, column))).toEqual([
    'green',
    'orange',
    'orange',
  ])
})

it('texts and empty cells have no color', () => {
  const rules: ColorRule[] = [{ operator: 'gte', value: 0, color: 'red' }]

  expect(['7', null, undefined].map((value) => findColor(value, rules))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
