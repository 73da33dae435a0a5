import { describe, expect, it } from 'vitest'
import { isMergeable } from './mergeable.ts'

const NEVER = [
  'anonymous',
  'guest',
  'distinctid',
  'distinct_id',
  'id',
  'not_authenticated',
  'email',
  'undefined',
  'true',
  'false',
  'null',
  '0',
  'NaN',
  'none',
  'None',
  '[object Object]',
  '',
]

describe('a placeholder ID', () => {
  it.each(NEVER)('is never merged: "%s"', (id) => {
    expect(isMergeable(id)).toBe(false)
  })

  it.each([
    ['in capitals', 'GUEST'],
    ['in mixed case', '[Object Object]'],
    ['in quotes', '"null"'],
    ['in single quotes', "'undefined'"],
    ['in backticks', '`id`'],
    ['with spaces around it', '  anonymous\t\n'],
    ['in spaces and quotes', ' " \'None\' " '],
    ['of spaces only', '   '],
    ['of quotes only', '""'],
  ])('is never merged %s', (_, id) => {
    expect(isMergeable(id)).toBe(false)
  })
})

describe('any other ID', () => {
  it.each([
    'ada@example.com',
    '00',
    '01',
    'guest1',
    'my id',
    'not null',
    '[object Objects]',
    '__proto__',
    'toString',
    'constructor',
  ])('is merged: "%s"', (id) => {
    expect(isMergeable(id)).toBe(true)
  })
})
