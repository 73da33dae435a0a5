import { expect, it } from 'vitest'
import { CANARY, numbered, startBoth } from '../../../../test/support/data/user-sql.ts'

const EVENTS = numbered([
  { event: 'visited', distinct_id: 'anon', properties: { plan: 'of the event' } },
  {
    event: '$identify',
    distinct_id: 'ada',
    properties: { $anon_distinct_id: 'anon', $set: { plan: 'pro', 'a.b': 'dot', seats: 3 } },
  },
  {
    event: 'visited',
    distinct_id: 'bob',
    timestamp: '2026-03-02T10:00:00.000Z',
    properties: { $set: { plan: 'free' } },
  },
  {
    event: 'visited',
    distinct_id: 'cy',
    timestamp: '2026-03-03T10:00:00.000Z',
    properties: { $process_person_profile: false },
  },
])

it.each<[string, unknown[][]]>([
  ['select uniq(person_id), uniq(distinct_id), count(person_id) from events', [[3, 4, 4]]],
  [
    "select a.person_id = b.person_id from events a join events b on a.distinct_id = 'anon' and b.distinct_id = 'ada'",
    [[true]],
  ],
  [
    'select event, properties.plan, person.properties.plan from events order by uuid',
    [
      ['visited', 'of the event', 'pro'],
      ['$identify', null, 'pro'],
      ['visited', null, 'free'],
      ['visited', null, null],
    ],
  ],
  [
    "select e.person.properties['a.b'], sum(e.person.properties.seats) from events e where e.person.properties.plan = 'pro' group by 1",
    [['dot', 6]],
  ],
  [
    'select properties.plan, is_identified, created_at from persons order by 1',
    [
      ['free', false, '2026-03-02T10:00:00.000Z'],
      ['pro', true, '2026-03-01T10:00:00.000Z'],
    ],
  ],
  [
    'select distinct_id, properties.plan from person_distinct_ids i join persons p on i.person_id = p.id order by 1',
    [
      ['ada', 'pro'],
      ['anon', 'pro'],
      ['bob', 'free'],
    ],
  ],
  [
    'select p.properties.plan, count() from events e join persons p on p.id = e.person_id group by 1 order by 1',
    [
      ['free', 1],
      ['pro', 2],
    ],
  ],
])('returns the same result for %s on both databases', async (text, rows) => {
  for (const store of await startBoth(EVENTS)) {
    expect((await store.run(text)).results).toEqual(rows)
  }
})

it.each([
  'select * from persons',
  'select * from person_distinct_ids',
  'select id, properties.name, properties.plan from persons',
  'select person_id, person.properties.name from events',
  'with persons as (select * from events) select * from persons',
])("returns only the project's persons for %s", async (text) => {
  for (const store of await startBoth(EVENTS)) {
    const result = await store.run(text)

    expect(result.results.length).toBeGreaterThan(0)
    expect(JSON.stringify(result)).not.toContain(CANARY)
  }
})

it.each([
  [
    'select * from main.persons',
    'A table is named by one word, without a schema, a sample or a version: events.',
  ],
  [
    'select number from persons',
    'There is no column "number". There are id, created_at, is_identified, properties.<name>.',
  ],
  [
    'select person.properties from events',
    "properties is not a value. Name the property: properties.plan, or properties['$browser'].",
  ],
  [
    'select properties.plan from events e join persons p on p.id = e.person_id',
    'Several tables have properties. Write which one, as in e.properties.plan.',
  ],
  [
    'select count() from persons where {filters}',
    '{filters} filters events: it stands in the WHERE of a query over events.',
  ],
])('refuses %s', async (text, message) => {
  const [store] = await startBoth(EVENTS)

  await expect(store?.run(text)).rejects.toMatchObject({ statusCode: 400, message })
})
