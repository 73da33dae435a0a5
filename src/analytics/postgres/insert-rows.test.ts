import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openStorage } from '#server/db/open.ts'
import { sanitizeJson } from '#server/db/sanitize.ts'
import type { Db } from '#server/db/schema.ts'
import { storageOptions } from '../../../test/support/app/storage.ts'
import { newEvent } from '../../../test/support/data/events.ts'
import { numRuns } from '../../../test/support/vitest/effort.ts'
import { toPropertiesText } from '../properties-text.ts'
import { propertyText, toPropertyText } from './property-text.ts'
import { rebuildFacts } from './rebuild-facts.ts'
import { createPostgresStore } from './store.ts'

async function start() {
  const { db, close } = await openStorage(await storageOptions('postgres'))
  onTestFinished(close)
  return { db, store: createPostgresStore(db) }
}

const NUMBERS = [0, -0, 1.5, -1e-6, 1e-7, -1.25e-9, 5e-324, 1e20, 1e21, -1.5e22, 2 ** 53]
const VALUES = [
  null,
  true,
  '',
  'a\tb\\',
  '{"b":1}',
  '0.0000001',
  ...NUMBERS,
  NUMBERS,
  { b: [{ d: '\u001b\u000b\u0001\\u000b"', '\u001f': 1 }], a: null, ﬀ: 1, '😀': 2 },
]

const readFacts = async (db: Db) => (await sql`select * from facts order by seq`.execute(db)).rows

it('stores the facts that a rebuild derives from the events', async () => {
  const { db, store } = await start()
  const groups = [...VALUES, 'x'.repeat(300), '😀'.repeat(201)]
  const documents = [
    ...VALUES.map((value) => ({ $browser: value, constructor: 1 })),
    ...groups.map((key) => ({ $os: 'Linux', $groups: { company: key, team: 'a\nb' } })),
    { $groups: ['company'], $current_url: 'https://example.com/\\' },
    { $set: { plan: 'pro' } },
    { $process_person_profile: false },
  ]
  const events = documents.map((properties, index) =>
    newEvent({ distinct_id: `user\t${index % 3}`, properties: toPropertiesText(properties) }),
  )
  await store.append(2, events.slice(0, 20))
  await store.append(1, events)
  const stored = await readFacts(db)

  await rebuildFacts(db)

  expect(await readFacts(db)).toEqual(stored)
})

it('writes properties as PostgreSQL does', async () => {
  const { db, store } = await start()
  await store.requireReady()
  const values = fc.array(fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }), {
    minLength: 1,
    maxLength: 4,
  })
  await fc.assert(
    fc.asyncProperty(values, async (list) => {
      const documents = list.map((key) => sanitizeJson(JSON.stringify({ key })))

      const { rows } = await sql<{ text: string | null }>`
        select ${propertyText('document', 'key')} as text
        from (select text::jsonb as document, place from unnest(${documents}::text[]) with ordinality as given (text, place)) given
        order by place`.execute(db)

      const expected = documents.map((document) => toPropertyText(JSON.parse(document).key))
      expect(rows.map(({ text }) => text)).toEqual(expected)
    }),
    numRuns(50),
  )
})
