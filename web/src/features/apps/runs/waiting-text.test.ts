import { expect, it } from 'vitest'
import { toWaitingText } from './waiting-text.ts'

const run_at = '2026-01-05T14:05:00.000Z'

it.each([
  ['Retry 2 of 3 in 20 s. It failed: 429', 'Second of 3 retries at 14:05. It failed: 429'],
  ['Retry 1 of 1 in 10 s. It failed: 503', 'The only retry at 14:05. It failed: 503'],
  ['Retry 9 of 10 in 10 s. It failed: 503', '9 of 10 retries at 14:05. It failed: 503'],
  ['Waits for the limit of a.test', 'Waits for the limit of a.test'],
])('says of "%s": %s', (message, text) => {
  expect(toWaitingText({ message, run_at }, 'UTC')).toBe(text)
})

it('names the time in the zone of the page', () => {
  const message = 'Retry 1 of 3 in 10 s. It failed: 429'

  expect(toWaitingText({ message, run_at }, 'Asia/Tokyo')).toContain('at 23:05.')
  expect(toWaitingText({ message, run_at: null }, 'UTC')).toBe(message)
})
