import fc from 'fast-check'
import { expect, it } from 'vitest'
import { expectSessions } from '../../../../test/reference/sessions.ts'
import { startStores, type TestEvent } from '../../../../test/support/data/queries.ts'
import { numRuns } from '../../../../test/support/vitest/effort.ts'
import { compileSql } from '../sql/compile.ts'

const DAY = 24 * 60
const START = Date.parse('2026-03-01T00:00:00.000Z')

const absentOr = (...texts: readonly string[]) => fc.constantFrom(undefined, null, ...texts)

/** Generates a month of visits, many of them close to half an hour apart. */
const visit = fc.record({
  event: fc.constantFrom('$pageview', '$pageview', '$screen', '$autocapture', 'paid'),
  person: fc.constantFrom('ada', 'bob', 'ünï'),
  minutes: fc.tuple(
    fc.constantFrom(0, 1, DAY, 29 * DAY, -700_000 * DAY),
    fc.constantFrom(0, 1, 29, 30, 31, 59, 60, 90),
  ),
  ms: fc.constantFrom(0, 1, -1, 9_999, 10_000),
  properties: fc.record({
    $session_id: absentOr('', 's1', 's1', 'sé', '7'),
    $pathname: absentOr('/', '/pricing', '/é', ''),
    $referring_domain: absentOr('$direct', 'google.com'),
    utm_source: absentOr('newsletter', 'Zed'),
    $geoip_country_code: absentOr('DE', 'FR'),
  }),
})

const toEvents = (visits: readonly (typeof visit extends fc.Arbitrary<infer V> ? V : never)[]) =>
  visits.map(({ event, person, minutes: [day, minute], ms, properties }, index): TestEvent => {
    const known = Object.entries(properties).filter(([, value]) => value !== undefined)
    return {
      event,
      person,
      at: new Date(START + (day + minute) * 60_000 + ms).toISOString(),
      properties: Object.fromEntries(known),
      // not in the order of arrival
      uuid: `00000000-0000-4000-8000-${String((index * 7919) % 10_007).padStart(12, '0')}`,
    }
  })

it('the sessions of generated visits equal those of a naive division', async () => {
  const stores = await startStores()
  let projectId = 1

  await fc.assert(
    fc.asyncProperty(fc.array(visit, { minLength: 1, maxLength: 25 }), async (visits) => {
      projectId++
      const events = toEvents(visits)
      await stores.add(events, projectId)
      const expected = expectSessions(events)
      const columns = Object.keys(expected[0] ?? { session_id: '' })
      const text = `select ${columns.join(', ')} from sessions order by session_id`

      const plan = await compileSql(text, { zone: 'UTC' })
      const { results } = await stores.run(plan, projectId)

      expect(results).toEqual(expected.map((session) => Object.values(session)))
    }),
    numRuns(150, 10),
  )
}, 600_000)
