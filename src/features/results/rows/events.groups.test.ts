import { expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { addEvents, doing } from '../../../../test/support/data/persons.ts'
import { QUERY } from '../../../../test/support/data/visits.ts'

const dateRange = { date_from: '2026-03-01', date_to: '2026-03-03' }
const visit = { kind: 'EventsNode', event: 'visit' }
const buy = { kind: 'EventsNode', event: 'buy' }
const grouped = { aggregation_group_type_index: 0 }
const unique = { math: 'unique_group', math_group_type_index: 0 }

const insight = (source: object, point: object) => ({
  kind: 'InsightActorsQuery',
  source: { dateRange, ...source },
  ...point,
})

/** Two persons of one company visit on one day each, and a third person belongs to two companies. */
async function start(): Promise<TestApp> {
  const api = await useApp()
  const at = (id: string, event: string, day: number, company: string) =>
    doing(id, { event, timestamp: `2026-03-0${day}T10:00:00.000Z`, $groups: { company } })
  await addEvents(
    api,
    at('ada', 'visit', 1, 'acme'),
    at('bob', 'visit', 2, 'acme'),
    at('cy', 'visit', 1, 'globex'),
    at('cy', 'visit', 2, 'initech'),
    at('bob', 'buy', 3, 'acme'),
    doing('dan', { event: 'visit', timestamp: '2026-03-01T10:00:00.000Z' }),
  )
  return api
}

/** Lists events as `visit ada 1`. */
async function readList(api: TestApp, source: object): Promise<string[]> {
  const select = ['event', 'distinct_id', 'timestamp']
  const query = { kind: 'EventsQuery', source, select, orderBy: ['timestamp ASC'] }
  const { body, text } = await api.post(QUERY, { query })
  expect(body.results, text).toBeTruthy()
  return body.results.map(([event, id, time]: string[]) => `${event} ${id} ${time?.[9]}`)
}

const stickiness = (more: object) => ({ kind: 'StickinessQuery', series: [visit], ...more })
const sticky = { stickinessFilter: { computedAs: 'cumulative' }, ...grouped }
const entity = { id: 'visit' }
const retentionFilter = { totalIntervals: 3, targetEntity: entity, returningEntity: entity }

it.each<[string, object, string[]]>([
  ['stickiness', insight(stickiness(grouped), { day: 2 }), ['visit ada 1', 'visit bob 2']],
  [
    'a series of stickiness',
    insight(stickiness({ series: [visit, { ...visit, ...unique }] }), { series: 1, day: 2 }),
    ['visit ada 1', 'visit bob 2'],
  ],
  [
    'cumulative stickiness',
    insight(stickiness(sticky), { day: 1 }),
    ['visit ada 1', 'visit bob 2', 'visit cy 1', 'visit cy 2'],
  ],
  [
    'a trend',
    insight({ kind: 'TrendsQuery', series: [{ ...visit, ...unique }] }, { day: '2026-03-02' }),
    ['visit bob 2', 'visit cy 2'],
  ],
  [
    'a lifecycle',
    insight(
      { kind: 'LifecycleQuery', series: [visit], ...grouped },
      { day: '2026-03-02', status: 'returning' },
    ),
    ['visit bob 2'],
  ],
  [
    'retention',
    insight(
      { kind: 'RetentionQuery', retentionFilter, dateRange: { date_to: '2026-03-03' }, ...grouped },
      { interval: 0, returned: 1 },
    ),
    ['visit bob 2'],
  ],
  [
    'a funnel',
    {
      kind: 'FunnelsActorsQuery',
      source: { kind: 'FunnelsQuery', series: [visit, buy], dateRange, ...grouped },
      funnelStep: 2,
    },
    ['buy bob 3', 'visit bob 2'],
  ],
])('lists the events of the groups behind %s', async (_, source, expected) => {
  const api = await start()

  expect((await readList(api, source)).toSorted()).toEqual(expected)
})
