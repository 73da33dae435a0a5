import { expect, it } from 'vitest'
import { toBodyValue } from './content.ts'

it.each([
  ['JSON, whatever its type', 'text/plain', '{"a": 1}', { a: 1 }],
  ['JSON lines', 'application/x-ndjson', '{"a": 1}\n{"a": 2}\n', [{ a: 1 }, { a: 2 }]],
  ['a form', 'application/x-www-form-urlencoded', 'a=1&b=x+y', { a: '1', b: 'x y' }],
  ['text', 'text/plain', 'Hello', 'Hello'],
  ['lines that are not JSON', 'application/x-ndjson', '{"a"', '{"a"'],
  ['nothing', 'application/json', '', undefined],
])('reads a body that is %s', (_, content_type, body, value) => {
  expect(toBodyValue({ content_type, body })).toEqual(value)
})
