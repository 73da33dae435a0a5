import { describe, expect, it } from 'vitest'
import type { RetentionQuery } from '#model/query-kinds/retention.schema.ts'
import type { RetentionCohort } from '#model/query-results.ts'
import { contextOf, startStores, type TestEvent } from '../../../../test/support/data/queries.ts'
import type { Context } from '../plan.ts'
import { compileRetentionQuery } from './compile.ts'

type Filter = NonNullable<RetentionQuery['retentionFilter']>

const on = (person: string, ...days: string[]): TestEvent[] =>
  days.map((at) => ({ person, at, event: '$pageview' }))

const countsOf = (cohorts: readonly RetentionCohort[]) =>
  cohorts.map(({ values }) => values.map(({ count }) => count))

async function start(events: readonly TestEvent[], given: Partial<Context> = {}) {
  const stores = await startStores()
  await stores.add(events)
  await stores.add(on('foreign', '2026-03-16', '2026-03-17', '2026-03-18'), 2)
  return (retentionFilter: Filter, more: Partial<RetentionQuery> = {}) =>
    stores.run(
      compileRetentionQuery({ kind: 'RetentionQuery', retentionFilter, ...more }, contextOf(given)),
    )
}

describe('retention', () => {
  it('counts the persons of each cohort and how many came back', async () => {
    const run = await start([
      ...on('ada', '2026-03-16', '2026-03-17', '2026-03-18T09:00:00Z', '2026-03-18T10:00:00Z'),
      ...on('bob', '2026-03-16', '2026-03-18'),
      ...on('cy', '2026-03-17'),
      ...on('dan', '2026-03-15T23:59:59.999Z', '2026-03-18T23:59:59.999Z'),
      ...on('eve', '2026-03-19'),
    ])

    const cohorts = await run({ period: 'Day', totalIntervals: 3 })

    expect(cohorts).toEqual([
      {
        date: '2026-03-16T00:00:00Z',
        label: 'Day 0',
        values: [
          { count: 2, label: 'Day 0' },
          { count: 1, label: 'Day 1' },
          { count: 2, label: 'Day 2', unfinished: true },
        ],
      },
      {
        date: '2026-03-17T00:00:00Z',
        label: 'Day 1',
        values: [
          { count: 2, label: 'Day 0' },
          { count: 1, label: 'Day 1', unfinished: true },
        ],
      },
      {
        date: '2026-03-18T00:00:00Z',
        label: 'Day 2',
        values: [{ count: 3, label: 'Day 0', unfinished: true }],
      },
    ])
  })

  it('counts a first time only once, and only without one before the range', async () => {
    const run = await start([
      ...on('ada', '2026-03-16', '2026-03-17', '2026-03-18'),
      ...on('bob', '2024-01-01', '2026-03-16', '2026-03-17'),
      ...on('cy', '2026-03-17', '2026-03-18'),
    ])

    const cohorts = await run({ totalIntervals: 3, retentionType: 'retention_first_time' })

    expect(countsOf(cohorts)).toEqual([[1, 1, 1], [1, 1], [0]])
  })

  it('counts the whole cohort even without returning events', async () => {
    const run = await start([
      { person: 'ada', event: 'signed up', at: '2026-03-17' },
      { person: 'ada', event: 'paid', at: '2026-03-17' },
      { person: 'ada', event: 'paid', at: '2026-03-18' },
      { person: 'bob', event: 'signed up', at: '2026-03-17' },
      { person: 'bob', event: 'paid', at: '2026-03-16' },
      { person: 'cy', event: 'paid', at: '2026-03-18' },
    ])
    const targetEntity = { id: 'signed up' }

    const paid = await run({ totalIntervals: 3, targetEntity, returningEntity: { id: 'paid' } })
    const any = await run({ totalIntervals: 3, targetEntity, returningEntity: { id: null } })
    const first = await run({
      ...{ totalIntervals: 3, targetEntity, returningEntity: { id: 'paid' } },
      retentionType: 'retention_first_time',
    })

    expect(countsOf(paid)).toEqual([[0, 0, 0], [2, 1], [0]])
    expect(countsOf(any)).toEqual([[0, 0, 0], [2, 1], [0]])
    expect(countsOf(first)).toEqual([[0, 0, 0], [2, 1], [0]])
  })

  it('counts persons who came back then or later if it is cumulative', async () => {
    const run = await start([
      ...on('ada', '2026-03-15', '2026-03-18'),
      ...on('bob', '2026-03-15', '2026-03-16'),
      ...on('cy', '2026-03-15'),
    ])

    const exact = await run({ totalIntervals: 4 })
    const cumulative = await run({ totalIntervals: 4, cumulative: true })

    expect(countsOf(exact)).toEqual([[3, 1, 0, 1], [1, 0, 0], [0, 0], [1]])
    expect(countsOf(cumulative)).toEqual([[3, 2, 1, 1], [1, 0, 0], [0, 0], [1]])
  })

  it('returns eleven weeks even if the range is the last seven days', async () => {
    const run = await start(on('ada', '2026-01-04', '2026-03-14T23:59:59Z', '2026-03-15'))

    const cohorts = await run(
      { period: 'Week', totalIntervals: 11 },
      { dateRange: { date_from: '-7d' } },
    )

    expect(cohorts).toHaveLength(11)
    expect(cohorts.map(({ values }) => values.length)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    expect(cohorts[0]).toMatchObject({ date: '2026-01-04T00:00:00Z', label: 'Week 0' })
    expect(countsOf(cohorts)[0]).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1])
  })

  it('starts weeks on the project’s first weekday', async () => {
    const run = await start(on('ada', '2026-03-08', '2026-03-15'), { weekStart: 1 })

    const cohorts = await run({ period: 'Week', totalIntervals: 3 })

    expect(cohorts.map(({ date }) => date.slice(0, 10))).toEqual([
      '2026-03-02',
      '2026-03-09',
      '2026-03-16',
    ])
    expect(countsOf(cohorts)).toEqual([[1, 1, 0], [1, 0], [0]])
  })

  it('counts days of 23 hours as whole days', async () => {
    const day = '2026-03-29'
    const run = await start(
      [
        ...on('ada', '2026-03-28T22:59:59.999Z', `${day}T21:59:59.999Z`),
        ...on('bob', '2026-03-28T23:00:00Z', `${day}T22:00:00Z`),
      ],
      { zone: 'Europe/Berlin' },
    )

    const cohorts = await run({ totalIntervals: 3 }, { dateRange: { date_to: '2026-03-30' } })

    expect(cohorts.map(({ date }) => date)).toEqual([
      '2026-03-28T00:00:00+01:00',
      `${day}T00:00:00+01:00`,
      '2026-03-30T00:00:00+02:00',
    ])
    expect(countsOf(cohorts)).toEqual([[1, 1, 0], [2, 1], [1]])
  })

  it('counts hours back from the last one where clocks change by half an hour', async () => {
    const run = await start(on('ada', '2025-10-04T14:59:59Z', '2025-10-04T15:00:00Z'), {
      zone: 'Australia/Lord_Howe',
    })

    const cohorts = await run(
      { period: 'Hour', totalIntervals: 3 },
      { dateRange: { date_to: '2025-10-05T03:10:00' } },
    )

    expect(cohorts.map(({ date }) => date)).toEqual([
      '2025-10-05T00:30:00+10:30',
      '2025-10-05T01:30:00+10:30',
      '2025-10-05T03:00:00+11:00',
    ])
    expect(countsOf(cohorts)).toEqual([[1, 1, 0], [1, 0], [0]])
  })

  it('ends with the period that contains the end of the range', async () => {
    const run = await start(on('ada', '2026-01-31T12:00:00Z', '2026-02-28T23:00:00Z', '2026-03-01'))

    const months = await run(
      { period: 'Month', totalIntervals: 2 },
      { dateRange: { date_to: '2026-02-10' } },
    )
    const hours = await run(
      { period: 'Hour', totalIntervals: 2 },
      { dateRange: { date_to: '2026-02-28' } },
    )

    expect(months.map(({ date }) => date)).toEqual(['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'])
    expect(countsOf(months)).toEqual([[1, 1], [1]])
    expect(hours.map(({ date }) => date)).toEqual(['2026-02-28T22:00:00Z', '2026-02-28T23:00:00Z'])
    expect(countsOf(hours)).toEqual([[0, 0], [1]])
  })

  it('counts a hundred periods, more than a bigint has bits', async () => {
    const run = await start(on('ada', '2025-12-09', '2026-02-08', '2026-02-09', '2026-03-18'))

    const counts = countsOf(await run({ totalIntervals: 100 }))

    const present = [0, 61, 62, 99]
    const expected = [...Array(100).keys()].map((cohort) =>
      [...Array(100 - cohort).keys()].map((later) =>
        present.includes(cohort) && present.includes(cohort + later) ? 1 : 0,
      ),
    )
    expect(counts).toEqual(expected)
  })

  it('applies the filters of the query, of an entity and of test accounts', async () => {
    const at = (day: string, properties: object, person: string): TestEvent => ({
      ...{ person, event: '$pageview', at: `2026-03-${day}` },
      properties: { ...properties },
    })
    const run = await start(
      [
        at('17', { plan: 'pro', page: '/a' }, 'ada'),
        at('18', { plan: 'pro', page: '/b' }, 'ada'),
        at('17', { plan: 'pro', page: '/b' }, 'bob'),
        at('18', { plan: 'free', page: '/b' }, 'bob'),
        at('17', { plan: 'pro', page: '/a', team: true }, 'us'),
      ],
      { testAccountFilters: [{ key: 'team', operator: 'is_not_set' }] },
    )
    const properties = [{ key: 'plan', value: 'pro' }]
    const page = (value: string) => ({ id: '$pageview', properties: [{ key: 'page', value }] })

    expect(countsOf(await run({ totalIntervals: 2 }, { properties }))).toEqual([[3, 1], [1]])
    expect(
      countsOf(await run({ totalIntervals: 2 }, { properties, filterTestAccounts: true })),
    ).toEqual([[2, 1], [1]])
    const byPage = { totalIntervals: 2, targetEntity: page('/a'), returningEntity: page('/b') }
    expect(countsOf(await run(byPage, { filterTestAccounts: true }))).toEqual([[1, 1], [0]])
  })

  it('returns empty cohorts without events', async () => {
    const run = await start([])

    expect(countsOf(await run({ totalIntervals: 2 }))).toEqual([[0, 0], [0]])
  })
})
