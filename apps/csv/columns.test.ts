import { describe, expect, it } from 'vitest'
import { detectColumns, nameColumns, toValue } from './columns.ts'

const typeOf = (...values: string[]) =>
  detectColumns(
    ['c'],
    values.map((value, index) => ({ line: index + 2, fields: [value] })),
  )[0]?.type

describe('columns', () => {
  it('get unique names from the first line', () => {
    expect(nameColumns([' a ', '', 'a', 'b'])).toEqual(['a', 'column_2', 'a_3', 'b'])
  })

  it('keep their count if a name looks like a generated one', () => {
    expect(nameColumns(['a_2', 'a_2', 'a_2'])).toHaveLength(3)
    expect(nameColumns(['a', 'b_3', 'b', 'b_3'])).toHaveLength(4)
    expect(nameColumns(['a', 'a_3', 'a'])).toHaveLength(3)
  })

  it.each([
    ['number', ['1', '-2', '3.5', '0', '0.25', '-0.5', '9007199254740991', '1.5e-7']],
    ['boolean', ['true', 'FALSE', 'True']],
    ['number', ['', '7', '']],
    ['text', ['', '']],
    ['text', ['01234', '10115']],
    ['text', ['9007199254740993']],
    ['text', ['0.1234567890123456789']],
    ['text', ['12e5']],
    ['text', ['1,5']],
    ['text', ['+49']],
    ['text', ['1.']],
    ['text', [' 1']],
    ['text', ['NaN', 'Infinity']],
    ['text', ['1', 'true']],
    ['text', ['yes']],
  ] as const)('are %s with %j', (type, values) => {
    expect(typeOf(...values)).toBe(type)
  })

  it.each([
    ['', 'number', undefined],
    ['7.5', 'number', 7.5],
    ['n/a', 'number', 'n/a'],
    ['007', 'number', '007'],
    ['True', 'boolean', true],
    ['false', 'boolean', false],
    ['1', 'text', '1'],
  ] as const)('read %j as %s: %j', (text, type, expected) => {
    expect(toValue(text, type)).toBe(expected)
  })
})
