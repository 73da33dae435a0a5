import { expect, it } from 'vitest'
import { PROJECT, useApp } from '../../../test/support/app/app.ts'
import { QUERY } from '../../../test/support/data/visits.ts'

type Sent = readonly [event: string, id: string, day: number, properties?: object]

const dayOf = (day: number): string => `2026-03-0${day}`

/** Sends events as clients do, in their order. */
async function startProject(events: readonly Sent[]) {
  const api = await useApp()
  const { api_token } = (await api.get(PROJECT)).body
  const batch = events.map(([event, distinct_id, day, properties = {}], n) => ({
    event,
    distinct_id,
    properties,
    timestamp: `${dayOf(day)}T10:00:${String(n).padStart(2, '0')}Z`,
  }))
  const { status } = await fetch(`${api.url}/batch/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: api_token, batch }),
  })
  expect(status).toBe(200)
  return async (query: object) => {
    const { body } = await api.post(QUERY, { query })
    return body.results ?? body
  }
}

const range = (from: number, to: number) => ({ date_from: dayOf(from), date_to: dayOf(to) })
const node = (event: string, more: object = {}) => ({ kind: 'EventsNode', event, ...more })

const dau = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: null, math: 'dau' }],
  dateRange: range(1, 1),
}
const funnel = (...events: string[]) => ({
  kind: 'FunnelsQuery',
  series: events.map((event) => node(event)),
  dateRange: range(1, 3),
})
// biome-ignore lint/suspicious/noExplicitAny: the shape depends on the query kind
const countsOf = (steps: any[]): number[] => steps.map(({ count }) => count)

it('counts a visitor who signs in as one person', async () => {
  const ask = await startProject([
    ['landing', 'A', 1],
    ['$identify', 'B', 1, { $anon_distinct_id: 'A' }],
    ['signed_up', 'B', 1],
  ])

  expect((await ask(dau))[0].data).toEqual([1])
  expect(countsOf(await ask(funnel('landing', 'signed_up')))).toEqual([1, 1])
  expect(await ask({ kind: 'PathsQuery', dateRange: range(1, 1) })).toMatchObject([
    { source: '1_landing', target: '2_signed_up', value: 1 },
  ])
})

it('counts a person with an alias as one', async () => {
  const ask = await startProject([
    ['visit', 'A', 1],
    ['purchase', 'B', 1],
    ['$create_alias', 'B', 2, { alias: 'A' }],
  ])

  expect((await ask(dau))[0].data).toEqual([1])
  expect(countsOf(await ask(funnel('visit', 'purchase')))).toEqual([1, 1])
})

it('recognizes persons who return under another ID', async () => {
  const ask = await startProject([
    ['visit', 'A', 1],
    ['visit', 'B', 2],
    ['$identify', 'B', 3, { $anon_distinct_id: 'A' }],
  ])

  const cohorts = await ask({
    kind: 'RetentionQuery',
    dateRange: range(1, 2),
    retentionFilter: {
      totalIntervals: 2,
      targetEntity: { id: 'visit' },
      returningEntity: { id: 'visit' },
    },
  })
  expect(countsOf(cohorts[0].values)).toEqual([1, 1])

  const parts = await ask({
    kind: 'LifecycleQuery',
    series: [node('visit')],
    dateRange: range(2, 2),
  })
  expect(
    parts.map(({ status, data }: { status: string; data: number[] }) => [status, ...data]),
  ).toEqual([
    ['new', 0],
    ['returning', 1],
    ['resurrecting', 0],
    ['dormant', 0],
  ])

  const [sticky] = await ask({
    kind: 'StickinessQuery',
    series: [node('visit')],
    dateRange: range(1, 2),
  })
  expect(sticky.data).toEqual([0, 1])
})

it('counts four persons with eight IDs', async () => {
  const ask = await startProject([
    ['visit', 'anon-1', 1],
    ['$identify', 'ada', 1, { $anon_distinct_id: 'anon-1' }],
    ['visit', 'anon-2', 1],
    ['$identify', 'ada', 1, { $anon_distinct_id: 'anon-2' }],
    ['visit', 'anon-3', 1],
    ['$identify', 'bob', 1, { $anon_distinct_id: 'anon-3' }],
    ['visit', 'anon-4', 1],
    ['$create_alias', 'bob', 1, { alias: 'anon-4' }],
    ['visit', 'stranger', 1],
    ['visit', 'guest', 1],
    ['$identify', 'guest', 1, { $anon_distinct_id: 'ada' }],
    ['visit', 'bob', 1],
  ])
  const sql = (query: string) => ask({ kind: 'HogQLQuery', query })

  expect(await sql('select uniq(distinct_id), uniq(person_id) from events')).toEqual([[8, 4]])
  expect(await sql('select count(), countIf(is_identified) from persons')).toEqual([[4, 2]])
  expect(await sql('select count(), uniq(person_id) from person_distinct_ids')).toEqual([[8, 4]])
  expect((await ask(dau))[0].data).toEqual([4])
})
