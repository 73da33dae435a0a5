import { expect, it } from 'vitest'
import { CANARY, numbered, startBoth } from '../../../../test/support/data/user-sql.ts'

const EVENTS = numbered([
  { event: 'visited', properties: { $groups: { company: 'acme', team: 7 } } },
  { event: 'visited', distinct_id: 'bob' },
  {
    event: '$groupidentify',
    timestamp: '2026-03-02T10:00:00.000Z',
    properties: { $group_type: 'company', $group_key: 'acme', $group_set: { plan: 'pro' } },
  },
])

it.each<[string, unknown[][]]>([
  ['select e."$group_0", $group_1 from events e where $group_0 is not null', [['acme', '7']]],
  ["select count($group_0), count(properties.none), '$group_0' from events", [[1, 0, '$group_0']]],
  ['select * from groups', [[0, 'acme', '2026-03-02T10:00:00.000Z', '2026-03-02T10:00:00.000Z']]],
  ["select groups.properties['plan'] from groups where groups.index = 0", [['pro']]],
])('returns the same result for %s on both databases', async (text, rows) => {
  for (const store of await startBoth(EVENTS)) {
    expect((await store.run(text)).results).toEqual(rows)
  }
})

it.each([
  'select key, properties.plan from groups',
  'select $group_0, $group_1 from events',
  'select g.key from events e cross join groups g',
])("returns only the project's groups for %s", async (text) => {
  for (const store of await startBoth(EVENTS)) {
    const result = await store.run(text)

    expect(result.results.length).toBeGreaterThan(0)
    expect(JSON.stringify(result)).not.toContain(CANARY)
  }
})
