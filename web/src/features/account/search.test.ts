import { expect, it } from 'vitest'
import { toNext } from './search.ts'

it.each([
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'https://evil.example',
  'javascript:alert(1)',
])('does not continue to %j after sign-in', (next) => {
  expect(toNext({ next })).toEqual({ next: undefined })
})

it('continues to a local path with its query', () => {
  expect(toNext({ next: '/project/1/events?event=x' })).toEqual({
    next: '/project/1/events?event=x',
  })
})
