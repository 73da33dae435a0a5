import fc from 'fast-check'
import { expect, it } from 'vitest'
import { startEventStore } from '../../test/support/data/events.ts'
import { numRuns } from '../../test/support/vitest/effort.ts'
import type { EventFilter, EventStore, NewEvent } from './event-store.ts'

const PROJECTS = [1, 2, 9_007_199_254_740_991]
/** Draws from a few UUIDs, so that duplicates occur. */
const uuid = fc
  .integer({ min: 1, max: 40 })
  .map((n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`)
const name = fc.oneof(
  fc.constantFrom('a', 'b', 'é', '😀', ''),
  fc.string({ unit: 'binary', maxLength: 300 }),
)
const timestamp = fc.oneof(
  fc.constantFrom(
    '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '1969-12-31T23:59:59.999Z',
  ),
  fc
    .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
)
const properties = fc.oneof(
  { weight: 9, arbitrary: fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()) },
  { weight: 1, arbitrary: fc.constant({ large: 'ü'.repeat(32 * 1024) }) },
)
const newEvent: fc.Arbitrary<NewEvent> = fc.record({
  uuid,
  event: name,
  distinct_id: name,
  timestamp,
  properties: properties.map((value) => JSON.stringify(value)),
})

type Step = (store: EventStore) => Promise<unknown>

const project = fc.constantFrom(...PROJECTS)
const filter: fc.Arbitrary<EventFilter> = fc.record({
  event: fc.option(name, { nil: undefined }),
  distinctId: fc.option(name, { nil: undefined, freq: 3 }),
  after: fc.option(timestamp, { nil: undefined }),
  before: fc.option(timestamp, { nil: undefined }),
  limit: fc.constantFrom(1, 3, 1000),
  offset: fc.constantFrom(0, 0, 1, 50),
})

const append = fc.tuple(project, fc.array(newEvent, { maxLength: 30 })).map(
  ([id, events]): Step =>
    async (store) =>
      store.countNew(id, [await store.append(id, events)]),
)
const together = fc
  .array(fc.tuple(project, fc.array(newEvent, { maxLength: 5 })), { maxLength: 5 })
  .map(
    (calls): Step =>
      async (store) => {
        await Promise.all(calls.map(([id, events]) => store.append(id, events)))
      },
  )
const list = fc.tuple(project, filter).map(
  ([id, asked]): Step =>
    async (store) =>
      (await store.list(id, asked)).map(({ created_at: _, properties, ...event }) => ({
        ...event,
        properties: JSON.parse(properties),
      })),
)
const count = project.map(
  (id): Step =>
    (store) =>
      store.count(id),
)
const removal = fc.oneof(
  fc.tuple(project, name).map(
    ([id, who]): Step =>
      (store) =>
        store.deletePerson(id, who),
  ),
  fc.tuple(project, timestamp).map(
    ([id, time]): Step =>
      (store) =>
        store.deleteBefore(id, time),
  ),
)
const step = fc.oneof(
  { weight: 5, arbitrary: append },
  { weight: 1, arbitrary: together },
  { weight: 3, arbitrary: list },
  { weight: 1, arbitrary: count },
  { weight: 1, arbitrary: removal },
)

it('gives the same results in both stores for any operations', async () => {
  const duckdb = await startEventStore('sqlite')
  const postgres = await startEventStore('postgres')
  const everything = { limit: 1000, offset: 0 }

  await fc.assert(
    fc
      .asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        for (const act of steps) {
          expect(await act(duckdb.events)).toEqual(await act(postgres.events))
        }
        for (const id of PROJECTS) {
          const seen = await duckdb.events.list(id, everything)
          expect(new Set(seen.map((event) => event.uuid)).size).toBe(seen.length)
        }
      })
      .beforeEach(async () => {
        for (const { events } of [duckdb, postgres]) {
          for (const id of PROJECTS) await events.deleteBefore(id, '9999-12-31T23:59:59.999Z')
          // exclusive, so events at the last moment remain
          for (const id of PROJECTS) await deleteAll(events, id)
        }
      }),
    numRuns(40, 4),
  )
})

async function deleteAll(store: EventStore, projectId: number): Promise<void> {
  for (const { distinct_id } of await store.list(projectId, { limit: 1000, offset: 0 })) {
    await store.deletePerson(projectId, distinct_id)
  }
}
