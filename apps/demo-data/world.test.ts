import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NewEvent } from '../shared/delivery.ts'
import { eventsBetween } from './events.ts'
import { profileOf, userIdOf } from './people.ts'
import { createWorld, DAY, DAYS, eventsOn, launchDayOf } from './world.ts'

const TODAY = 20_400

function historyOf(seed: string, events: number, today = TODAY): NewEvent[] {
  const world = createWorld(seed, events, today)
  return Array.from({ length: DAYS }, (_, day) => [
    ...eventsBetween(world, day, 0, Number.POSITIVE_INFINITY),
  ]).flat()
}

/** Enough events for stable averages. */
const MANY = historyOf('a', 40_000)

const named = (name: string) => MANY.filter(({ event }) => event === name)
/** Users by the anonymous IDs of their devices. */
const USERS = new Map(
  named('$identify').map((event) => [event.properties?.$anon_distinct_id, event.distinct_id]),
)
const personOf = ({ distinct_id }: NewEvent): string => USERS.get(distinct_id) ?? distinct_id
const peopleOf = (events: readonly NewEvent[]) => new Set(events.map(personOf))
const dayOf = ({ timestamp }: NewEvent) => Math.floor(Date.parse(timestamp as string) / DAY)
const share = (part: number, whole: number) => part / whole

describe('a generated history', () => {
  it('has exactly the requested number of events, each with a unique ID', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), fc.string(), (events, seed) => {
        const history = historyOf(seed, events)

        expect(history).toHaveLength(events)
        expect(new Set(history.map(({ uuid }) => uuid)).size).toBe(events)
      }),
      { numRuns: 20 },
    )
  })

  it('is the same for the same seed and day, and shares no event with any other', () => {
    const ids = new Set(historyOf('a', 500).map(({ uuid }) => uuid))

    expect(historyOf('a', 500)).toEqual(historyOf('a', 500))
    for (const other of [historyOf('b', 500), historyOf('a', 501), historyOf('a', 500, 20_401)]) {
      expect(other.some(({ uuid }) => ids.has(uuid))).toBe(false)
    }
  })

  it('covers exactly the 90 days before today', () => {
    const days = new Set(MANY.map(dayOf))

    expect(days.size).toBe(DAYS)
    expect(Math.min(...days)).toBe(TODAY - DAYS)
    expect(Math.max(...days)).toBe(TODAY - 1)
  })

  it('grows over time and drops at weekends', () => {
    const world = createWorld('a', 1_000_000, TODAY)
    const onDays = Array.from({ length: DAYS }, (_, day) => eventsOn(world, day))
    const isWeekend = (day: number) =>
      [0, 6].includes(new Date((world.firstDay + day) * DAY).getUTCDay())
    const mean = (counts: readonly number[]) =>
      counts.reduce((sum, count) => sum + count, 0) / counts.length

    expect(mean(onDays.slice(-28))).toBeGreaterThan(1.5 * mean(onDays.slice(0, 28)))
    expect(mean(onDays.filter((_, day) => isWeekend(day)))).toBeLessThan(
      0.7 * mean(onDays.filter((_, day) => !isWeekend(day))),
    )
  })

  it('has a funnel from visit to sign-up, activation and purchase', () => {
    const [all, signedUp, active, buyers] = [
      peopleOf(MANY),
      peopleOf(named('signed_up')),
      peopleOf(named('project_created')),
      peopleOf(named('purchased')),
    ]

    expect(share(signedUp.size, all.size)).toBeGreaterThan(0.1)
    expect(share(signedUp.size, all.size)).toBeLessThan(0.5)
    expect(share(active.size, signedUp.size)).toBeGreaterThan(0.3)
    expect(share(active.size, signedUp.size)).toBeLessThan(0.8)
    expect(share(buyers.size, active.size)).toBeGreaterThan(0.1)
    expect(share(buyers.size, active.size)).toBeLessThan(0.5)
    expect(active.isSubsetOf(signedUp)).toBe(true)
    expect(buyers.isSubsetOf(active)).toBe(true)
  })

  it('has each funnel step at most once per person, in order', () => {
    const times = (name: string) =>
      new Map(named(name).map(({ distinct_id, timestamp }) => [distinct_id, timestamp as string]))
    const [signedUp, active] = [times('signed_up'), times('project_created')]

    expect(named('signed_up')).toHaveLength(signedUp.size)
    expect(named('purchased').length).toBeGreaterThan(20)
    for (const [person, at] of active) expect(at > (signedUp.get(person) as string)).toBe(true)
    for (const [person, at] of times('purchased')) {
      expect(at > (active.get(person) as string)).toBe(true)
    }
  })

  it('has returning people, fewer each week', () => {
    const firstSeen = new Map<string, number>()
    for (const event of MANY) {
      const seen = firstSeen.get(personOf(event)) ?? Number.POSITIVE_INFINITY
      firstSeen.set(personOf(event), Math.min(seen, dayOf(event)))
    }
    const cohort = [...firstSeen].filter(([, day]) => day > TODAY - 70 && day < TODAY - 40)
    const people = new Map(cohort)
    const returned = (week: number) =>
      peopleOf(
        MANY.filter((event) => {
          const age = dayOf(event) - (people.get(personOf(event)) ?? Number.NaN)
          return age >= 7 * week && age < 7 * week + 7
        }),
      ).size / cohort.length

    expect(returned(1)).toBeGreaterThan(0.1)
    expect(returned(1)).toBeLessThan(0.6)
    expect(returned(4)).toBeLessThan(returned(1))
    expect(returned(4)).toBeGreaterThan(0.03)
  })

  it('gives a person one country, and one or two devices', () => {
    const [countries, devices] = [new Map<string, unknown>(), new Map<string, Set<string>>()]
    for (const event of MANY.filter(({ properties }) => '$browser' in properties)) {
      const { $browser, $os, $device_type, $geoip_country_code } = event.properties ?? {}
      const person = personOf(event)
      expect(countries.get(person) ?? $geoip_country_code).toBe($geoip_country_code)
      countries.set(person, $geoip_country_code)
      const used = devices.get(person) ?? new Set()
      devices.set(person, used.add(JSON.stringify([$browser, $os, $device_type])))
    }
    const counts = [...devices.values()].map(({ size }) => size)

    expect(new Set(counts)).toEqual(new Set([1, 2]))
    expect(counts.filter((count) => count === 2).length).toBeGreaterThan(50)
  })

  it('has visitors who sign in, with an anonymous ID for each device', () => {
    const anonymousIds = Map.groupBy(USERS.keys(), (id) => USERS.get(id))
    const idsPerUser = new Set([...anonymousIds.values()].map(({ length }) => length))
    const ids = new Set(MANY.map(({ distinct_id }) => distinct_id))

    expect(idsPerUser).toEqual(new Set([1, 2]))
    for (const { distinct_id, properties } of named('$identify')) {
      expect(USERS.get(properties?.$anon_distinct_id)).toBe(distinct_id)
      expect(ids.has(properties?.$anon_distinct_id as string)).toBe(true)
    }
    expect(peopleOf(named('signed_up')).isSubsetOf(new Set(USERS.values()))).toBe(true)
  })

  it('sets the name, e-mail address and plan of people who sign in', () => {
    const profiles = named('$identify').map(
      ({ properties }) => properties.$set as Record<'name' | 'email' | 'plan', string>,
    )
    const plans = new Set(profiles.map(({ plan }) => plan))

    for (const { name, email } of profiles) {
      const [first = '', last = ''] = name.toLowerCase().split(' ')
      expect(email).toMatch(new RegExp(`^${first}\\.${last}@[a-z-]+\\.example\\.com$`))
    }
    expect(plans).toEqual(new Set(['free', 'starter', 'team', 'business']))
  })

  it('names no two people alike, before every name has been used', () => {
    const world = createWorld('a', 40_000, TODAY)
    const people = Array.from({ length: 3000 }, (_, person) => profileOf(world, person))

    expect(new Set(people.map(({ name }) => name)).size).toBe(3000)
    expect(new Set(Array.from({ length: 9000 }, (_, person) => userIdOf(world, person))).size).toBe(
      9000,
    )
  })

  it('describes the company of everyone who signs in, and names it in their events', () => {
    const companies = new Map(
      named('$groupidentify').map(({ properties }) => [
        properties.$group_key,
        properties.$group_set as Record<string, unknown>,
      ]),
    )
    const ofUsers = MANY.filter(({ distinct_id }) => distinct_id.includes('@'))

    expect(companies.size).toBeGreaterThan(20)
    for (const { properties } of ofUsers) {
      const { company } = properties.$groups as { company: string }
      expect(companies.get(company)).toMatchObject({ name: expect.stringContaining(' ') })
    }
    expect(
      MANY.some(
        ({ properties, distinct_id }) => '$groups' in properties && !distinct_id.includes('@'),
      ),
    ).toBe(false)
  })

  it('bills each customer once a month until they cancel', () => {
    const [paid, canceled] = [named('invoice_paid'), named('subscription_canceled')]
    const perCustomer = Map.groupBy(paid, ({ distinct_id }) => distinct_id)
    const invoices = new Set(paid.map(({ properties }) => properties.invoice))

    expect(invoices.size).toBe(paid.length)
    expect(canceled.length).toBeGreaterThan(5)
    for (const bills of perCustomer.values()) {
      const days = bills.map(dayOf).toSorted((one, other) => one - other)
      for (const [index, day] of days.entries()) {
        expect(day - (days[index - 1] ?? day - 30)).toBe(30)
      }
    }
    for (const end of canceled) {
      const last = Math.max(...(perCustomer.get(end.distinct_id) ?? []).map(dayOf), 0)
      expect(dayOf(end)).toBeGreaterThan(last)
    }
  })

  it('peaks at a launch on a Tuesday, three to four weeks ago', () => {
    const launch = launchDayOf(TODAY)
    const days = Map.groupBy(MANY, dayOf)

    expect(new Date(launch * DAY).getUTCDay()).toBe(2)
    expect(TODAY - launch).toBeGreaterThanOrEqual(21)
    expect(TODAY - launch).toBeLessThan(28)
    for (const [day, events] of days) {
      if (day !== launch) expect(events.length).toBeLessThan(days.get(launch)?.length ?? 0)
    }
  })

  it('has the properties that the built-in dashboards query', () => {
    const pageviews = named('$pageview')
    const valuesOf = (key: string) => new Set(pageviews.map(({ properties }) => properties[key]))

    expect(share(pageviews.length, MANY.length)).toBeGreaterThan(0.5)
    for (const key of ['$browser', '$pathname', '$referring_domain', '$geoip_country_code']) {
      expect(valuesOf(key).size).toBeGreaterThan(4)
      expect(valuesOf(key)).not.toContain(undefined)
    }
    expect([...valuesOf('$referring_domain')].some((one) => String(one).includes('google'))).toBe(
      true,
    )
    expect(valuesOf('utm_source').size).toBeGreaterThan(3)
    expect(valuesOf('$session_id').size).toBeLessThan(pageviews.length * 0.6)
  })

  it('includes the event at the end of a span, but not the one at its start', () => {
    const world = createWorld('a', 40_000, TODAY)
    const whole = [...eventsBetween(world, DAYS, 0, Number.POSITIVE_INFINITY)]
    const moment = Date.parse(whole[50]?.timestamp as string)

    const until = [...eventsBetween(world, DAYS, 0, moment)]
    const after = [...eventsBetween(world, DAYS, moment, Number.POSITIVE_INFINITY)]

    expect(until.length + after.length).toBe(whole.length)
    expect(until).toContainEqual(whole[50])
  })

  it('continues hour by hour without gaps or duplicates', () => {
    const world = createWorld('a', 40_000, TODAY)
    const start = TODAY * DAY
    const whole = [...eventsBetween(world, DAYS, 0, Number.POSITIVE_INFINITY)]

    const hours = Array.from({ length: 24 }, (_, hour) => [
      ...eventsBetween(
        world,
        DAYS,
        start + hour * 3_600_000 - 1,
        start + (hour + 1) * 3_600_000 - 1,
      ),
    ])

    expect(whole.length).toBeGreaterThan(100)
    expect(new Set(whole.map(dayOf))).toEqual(new Set([TODAY]))
    expect(
      hours
        .flat()
        .map(({ uuid }) => uuid)
        .sort(),
    ).toEqual(whole.map(({ uuid }) => uuid).sort())
    expect(hours.filter((hour) => hour.length > 0).length).toBeGreaterThan(20)
  })
})
