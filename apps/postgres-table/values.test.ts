import { describe, expect, it } from 'vitest'
import { toValue } from './values.ts'

const column = (base: string, category: string) => ({ name: 'c', type: base, base, category })

describe('a value of the database', () => {
  it.each([
    [null, 'text', 'S', undefined],
    ['', 'text', 'S', ''],
    ['true', 'bool', 'B', true],
    ['false', 'bool', 'B', false],
    ['42', 'int4', 'N', 42],
    ['9007199254740991', 'int8', 'N', 9007199254740991],
    ['9007199254740993', 'int8', 'N', '9007199254740993'],
    ['12.50', 'numeric', 'N', 12.5],
    ['0.12345678901234567890', 'numeric', 'N', '0.12345678901234567890'],
    ['NaN', 'float8', 'N', 'NaN'],
    ['$1,000.00', 'money', 'N', '$1,000.00'],
    ['1e-07', 'float8', 'N', 1e-7],
    ['{"a":[1]}', 'jsonb', 'U', { a: [1] }],
    ['["a","b"]', '_text', 'A', ['a', 'b']],
    ['12', 'text', 'S', '12'],
  ])('%j of %s becomes a property', (text, base, category, expected) => {
    expect(toValue(text, column(base, category))).toEqual(expected)
  })
})
