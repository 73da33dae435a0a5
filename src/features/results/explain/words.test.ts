import { expect, it } from 'vitest'
import type { PlanStep } from '#server/analytics/plan-step.ts'
import { explain } from './words.ts'

const STEPS: PlanStep[] = [
  { work: 'group', rowsRead: 0, milliseconds: 30 },
  { work: 'read', rowsRead: 1_000, milliseconds: 50 },
  { work: 'read', rowsRead: 234, milliseconds: 18 },
  { work: 'sort', rowsRead: 0, milliseconds: 2 },
]

const query = (fields: Partial<Parameters<typeof explain>[0]>) =>
  explain({
    ...{ text: 'select 1', steps: STEPS, milliseconds: 340, rows: 10, hasMore: false },
    ...fields,
  })

it('says how many rows are read, and what takes the time', () => {
  expect(query({})).toEqual({
    summary: [
      'Reads 1,234 rows and returns 10 rows.',
      'Took 0.3 s of at most 20 s: reading 68%, grouping 30%.',
    ],
    ...{ milliseconds: 340, rows_read: 1234, rows_returned: 10, has_more: false },
    work: [
      { name: 'read', percent: 68 },
      { name: 'group', percent: 30 },
      { name: 'sort', percent: 2 },
    ],
  })
})

it.each([
  [{ rows: 100, hasMore: true }, 'There are more rows. Set LIMIT, up to 10,000.'],
  [{ rows: 5, hasMore: true }, 'There are more rows. Raise LIMIT, up to 10,000.'],
  [{ rows: 10_000, hasMore: true }, 'Group them, or use OFFSET.'],
  [{ rows: 1, milliseconds: 7 }, 'returns 1 row.'],
  [{ steps: [], milliseconds: 7 }, 'Took 0.007 s of at most 20 s.'],
])('says of %j: %s', (fields, words) => {
  expect(query(fields).summary.join(' ')).toContain(words)
})

const MANY: PlanStep[] = [{ work: 'read', rowsRead: 500_000, milliseconds: 9 }]

it.each([
  ['select count() from events', true],
  ["select count() from events where timestamp >= now() - interval '1 day'", false],
  ['select count() from events where {filters}', false],
  ['select max(timestamp) from events', true],
])('recommends a condition on time for %s: %s', (text, isShown) => {
  const words = query({ text, steps: MANY }).summary.join(' ')

  expect(words.includes('all time')).toBe(isShown)
})
