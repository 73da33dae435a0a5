import fc from 'fast-check'
import type { TestEvent } from '../support/data/queries.ts'

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

type Visit = typeof visit extends fc.Arbitrary<infer V> ? V : never

const toEvents = (visits: readonly Visit[]): TestEvent[] =>
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

/** Generates the visits of a few persons in March 2026, and some long before and after. */
export const visitEvents: fc.Arbitrary<TestEvent[]> = fc
  .array(visit, { minLength: 1, maxLength: 25 })
  .map(toEvents)
