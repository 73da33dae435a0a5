import { describe, expect, it } from 'vitest'
import { parseTableName } from '../table/table.ts'
import { quoteName } from './names.ts'

describe('the name of a table', () => {
  it.each([
    ['orders', undefined, 'orders'],
    ['Shop.Orders', 'Shop', 'Orders'],
    [' shop . orders ', 'shop', 'orders'],
    ['"or.ders"', undefined, 'or.ders'],
    ['"My shop"."say ""hi"""', 'My shop', 'say "hi"'],
    ['my orders', undefined, 'my orders'],
    ["o'rders; drop table x", undefined, "o'rders; drop table x"],
  ])('%j is parsed exactly', (text, schema, name) => {
    expect(parseTableName(text)).toEqual({ schema, name })
  })

  it.each([[''], ['.'], ['a.'], ['.a'], ['a.b.c'], ['"a'], ['a"b'], ['""'], ['a\0b'], ['a..b']])(
    'cannot be %j',
    (text) => {
      expect(() => parseTableName(text)).toThrow('"Table" must be a table or schema.table')
    },
  )

  it('cannot leave its quotes', () => {
    expect(quoteName('a"; drop table b; --')).toBe('"a""; drop table b; --"')
  })
})
