import { expect, it } from 'vitest'
import { compileSql } from './compile.ts'

const readRefusal = (text: string): Promise<unknown> =>
  compileSql(text, { zone: 'UTC' }).then(
    () => 'accepted',
    ({ statusCode, attr, message }) => ({ statusCode, attr, message }),
  )

it.each([
  ['select 1 +', 'The query cannot be read: syntax error at end of input, at character 11.'],
  [
    'select properties.$a, properties.$b fro events',
    'The query cannot be read: syntax error at or near "events", at character 41.',
  ],
  [
    "select 'é' as é frm x y",
    'The query cannot be read: syntax error at or near "frm", at character 17.',
  ],
  ['delete from events', 'Only SELECT is allowed: a query reads events and changes nothing.'],
  ['select 1; select 2', 'Exactly one SELECT is needed. Send several queries one by one.'],
  [
    'select * from main.events',
    'A table is named by one word, without a schema, a sample or a version: events.',
  ],
  [
    'select * from users',
    'There is no table "users". A query reads events, persons, person_distinct_ids, cohort_people, groups, sessions, import_configs, import_runs, or what it names by WITH.',
  ],
  [
    'select nope from events',
    'There is no column "nope". There are uuid, event, distinct_id, person_id, timestamp, properties.<name>, person.properties.<name>.',
  ],
  [
    'select read_text(event) from events',
    'The function read_text is not available. docs/sql.md lists those that are.',
  ],
  [
    'select properties from events',
    "properties is not a value. Name the property: properties.plan, or properties['$browser'].",
  ],
  [
    'select event, count() from events',
    '"event" is neither in GROUP BY nor in an aggregate. Add it to GROUP BY, or write any_value(event).',
  ],
  [
    'select 1 from events where count() > 1',
    'count is an aggregate: it cannot stand in WHERE, ON, GROUP BY or in another aggregate. Use HAVING, or a subquery.',
  ],
  [
    'select event + timestamp from events',
    'a text and a time cannot be added. Add an interval to a time, or use dateDiff for the time between two.',
  ],
  [
    'select event from events a join events b on a.uuid = b.uuid',
    '"event" is in several tables. Write which one, as in e.event.',
  ],
  [
    'select (select event from events)',
    'A subquery that stands for a value must give one row: aggregate without GROUP BY, or add LIMIT 1.',
  ],
  ['select {variables.day}', 'There is no variable "day". Add it to the query\'s variables.'],
])('refuses %s with an explanation', async (text, message) => {
  expect(await readRefusal(text)).toEqual({ statusCode: 400, attr: 'query__query', message })
})

it('lists each property that a statement reads once', async () => {
  const text =
    "select properties.$browser, e.properties['plan'], JSONExtractFloat(properties, 'amount') from events e where properties.plan = 'pro'"
  const { properties } = await compileSql(text, { zone: 'UTC' })

  expect(properties.toSorted()).toEqual(['$browser', 'amount', 'plan'])
})
