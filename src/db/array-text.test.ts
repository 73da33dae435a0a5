import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { storageOptions } from '../../test/support/app/storage.ts'
import { toPlainArray, toTextArray } from './array-text.ts'
import { openStorage } from './open.ts'

const TEXTS = [
  '',
  ' ',
  'NULL',
  'null',
  null,
  '{',
  '}',
  ',',
  '"',
  '\\',
  '\\"',
  '{"a":"b\\n"}',
  "'",
  'ü\n',
]

it('writes arrays that PostgreSQL reads as the same values', async () => {
  const { db, close } = await openStorage(await storageOptions('postgres'))
  onTestFinished(close)

  const { rows } = await sql`
    select ${toTextArray(TEXTS)}::text[] as texts, ${toTextArray([])}::text[] as empty,
      ${toPlainArray([1, -2])}::integer[] as numbers, ${toPlainArray([true, false])}::boolean[] as flags`.execute(
    db,
  )

  expect(rows).toEqual([{ texts: TEXTS, empty: [], numbers: [1, -2], flags: [true, false] }])
})
