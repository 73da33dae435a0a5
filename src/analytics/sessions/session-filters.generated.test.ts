import fc from 'fast-check'
import { expect, it } from 'vitest'
import { NONE } from '#model/format.ts'
import { visitEvents } from '../../../test/reference/generate-visits.ts'
import { divideSessions } from '../../../test/reference/sessions.ts'
import { contextOf, startStores, type TestEvent } from '../../../test/support/data/queries.ts'
import { numRuns } from '../../../test/support/vitest/effort.ts'
import { compileTrendsQuery } from '../queries/trends/compile.ts'

const DAY_MS = 86_400_000
const KEYS = [
  '$entry_pathname',
  '$end_pathname',
  '$entry_referring_domain',
  '$entry_utm_source',
  '$session_duration',
  '$pageview_count',
  '$is_bounce',
] as const

/** Counts the events of a range by a property of their sessions, which a day around the range decides. */
function expectCounts(events: readonly TestEvent[], [from, to]: readonly number[], key: string) {
  const isWithin = (ms: number, margin: number) =>
    ms >= (from as number) - margin && ms < (to as number) + margin
  const near = events.filter(({ at }) => isWithin(Date.parse(at), DAY_MS))
  const sessions = divideSessions(near)
  const readValue = (uuid: string | undefined) => {
    const found = sessions.find(({ visits }) => visits.some((visit) => visit.uuid === uuid))
    return String(found?.session[key] ?? '') || NONE
  }
  const counts = new Map<string, number>()
  for (const { at, uuid } of events) {
    if (!isWithin(Date.parse(at), 0)) continue
    const value = readValue(uuid)
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return counts
}

it('events are counted by the properties of their sessions, as a naive division finds them', async () => {
  const stores = await startStores()
  let projectId = 1
  const cases = fc.record({
    events: visitEvents,
    key: fc.constantFrom(...KEYS),
    days: fc.constantFrom<[string, string]>(
      ['2026-03-01', '2026-03-01'],
      ['2026-03-02', '2026-03-03'],
      ['2026-02-01', '2026-04-01'],
    ),
  })

  await fc.assert(
    fc.asyncProperty(cases, async ({ events, key, days: [date_from, date_to] }) => {
      projectId++
      await stores.add(events, projectId)
      const expected = expectCounts(
        events,
        [Date.parse(date_from), Date.parse(date_to) + DAY_MS],
        key,
      )
      const query = {
        kind: 'TrendsQuery' as const,
        series: [{ event: null }],
        dateRange: { date_from, date_to },
        trendsFilter: { display: 'ActionsTable' as const },
      }

      const broken = await stores.run(
        compileTrendsQuery(
          { ...query, breakdownFilter: { breakdown: key, breakdown_type: 'session' } },
          contextOf(),
        ),
        projectId,
      )
      const counts = broken.map(({ breakdown_value, aggregated_value }) => [
        breakdown_value,
        aggregated_value,
      ])
      expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(expected))

      for (const [value, count] of expected) {
        if (value === NONE) continue
        const properties = [{ key, type: 'session' as const, value }]
        const filtered = compileTrendsQuery({ ...query, properties }, contextOf())
        expect((await stores.run(filtered, projectId))[0]?.aggregated_value).toBe(count)
      }
    }),
    numRuns(90, 10),
  )
}, 600_000)
