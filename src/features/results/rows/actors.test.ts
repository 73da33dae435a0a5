import { describe, expect, it } from 'vitest'
import { PROJECT, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { toEvent } from '../../../../test/support/data/queries.ts'
import {
  dateRange,
  insight,
  startProject,
  step,
  trend,
  visit,
} from '../../../../test/support/data/visitors.ts'
import { QUERY } from '../../../../test/support/data/visits.ts'

const ask = (api: TestApp, query: object) =>
  api.post(QUERY, { query: { kind: 'ActorsQuery', ...query } })

/** Lists the last distinct ID of each person with the number of events. */
async function readList(api: TestApp, source: object, more: object = {}) {
  const { body, text } = await ask(api, { source, select: ['actor', 'event_count'], ...more })
  expect(body.results, text).toBeTruthy()
  return body.results.map(([{ distinct_ids }, events]: [{ distinct_ids: string[] }, number]) => [
    distinct_ids[0],
    events,
  ])
}

describe('the persons behind a trend', () => {
  it('are listed for one day, with merged IDs, most events first', { tags: 'sql' }, async () => {
    const api = await startProject()

    const { status, body } = await ask(api, {
      source: insight(trend(), { series: 0, day: '2026-03-16' }),
      select: ['actor', 'event_count'],
    })

    expect(status).toBe(200)
    expect(body).toMatchObject({
      columns: ['actor', 'event_count'],
      hasMore: false,
      limit: 100,
      offset: 0,
      missing_actors_count: 0,
    })
    expect(body.results).toEqual([
      [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          type: 'person',
          name: 'ada@a.example',
          distinct_ids: ['ada', 'anon'],
          properties: { plan: 'pro', email: 'ada@a.example' },
          created_at: '2026-03-16T10:00:00.000Z',
          is_identified: true,
        },
        2,
      ],
      [expect.objectContaining({ distinct_ids: ['bob'], is_identified: false }), 1],
    ])
  })

  it('include visitors without a profile', async () => {
    const api = await startProject()

    const { body } = await ask(api, { source: insight(trend(), { day: '2026-03-17' }) })

    expect(body.results).toContainEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        type: 'person',
        name: 'cy',
        distinct_ids: ['cy'],
        properties: {},
        created_at: null,
        is_identified: false,
      },
    ])
  })

  it('are listed for the whole range if no day is given', async () => {
    const api = await startProject()

    expect(await readList(api, insight(trend()))).toEqual([
      ['ada', 2],
      ['bob', 2],
      ['cy', 1],
    ])
  })

  it('are filtered by a breakdown value, no value, or the remaining values', {
    tags: 'sql',
  }, async () => {
    const api = await startProject()
    const source = trend({ breakdownFilter: { breakdown: 'page', breakdown_limit: 1 } })
    const of = (breakdown: unknown) => readList(api, insight(source, { breakdown }))

    expect(await of('a')).toEqual([
      ['ada', 1],
      ['bob', 1],
    ])
    expect(await of('$$_posthog_breakdown_null_$$')).toEqual([['cy', 1]])
    expect(await of('$$_posthog_breakdown_other_$$')).toEqual([
      ['cy', 1],
      ['ada', 1],
      ['bob', 1],
    ])
  })

  it('are paginated, searched, filtered and sorted', { tags: 'sql' }, async () => {
    const api = await startProject()
    const source = insight(trend())

    expect((await ask(api, { source, limit: 2 })).body).toMatchObject({ hasMore: true, limit: 2 })
    expect(await readList(api, source, { limit: 2, offset: 2 })).toEqual([['cy', 1]])
    expect(await readList(api, source, { search: 'ANON' })).toEqual([['ada', 2]])
    const properties = [{ key: 'plan', value: 'pro', type: 'person' }]
    expect(await readList(api, source, { properties })).toEqual([['ada', 2]])
    expect(await readList(api, source, { orderBy: ['event_count', 'id DESC'] })).toHaveLength(3)
  })

  it("are listed for a day in the project's time zone", async () => {
    const api = await startProject()
    await api.patch(PROJECT, { timezone: 'Europe/Berlin' })
    const justAfterMidnight = { event: 'visit', person: 'dan', at: '2026-03-16T23:30:00Z' }
    await api.services.events.append(api.projectId, [toEvent(justAfterMidnight)])

    const listed = await readList(api, insight(trend(), { day: '2026-03-17' }))

    expect(listed).toContainEqual(['dan', 1])
  })

  it('were active in the seven days that end with the day', async () => {
    const api = await startProject()
    const visits = [
      { event: 'visit', person: 'first day', at: '2026-03-10T12:00:00Z' },
      { event: 'visit', person: 'day before', at: '2026-03-09T12:00:00Z' },
    ]
    await api.services.events.append(api.projectId, visits.map(toEvent))
    const active = trend({ series: [{ ...visit, math: 'weekly_active' }] })

    const listed = await readList(api, insight(active, { day: '2026-03-16' }))

    const ids = listed.map(([id]: [string]) => id).toSorted()
    expect(ids).toEqual(['ada', 'bob', 'first day'])
  })

  it('follow the filters of a dashboard', async () => {
    const api = await startProject()

    const { body } = await api.post(QUERY, {
      query: { kind: 'ActorsQuery', source: insight(trend()), select: ['id'] },
      filters_override: { date_from: '2026-03-17', date_to: '2026-03-17' },
    })

    expect(body.results).toHaveLength(2)
  })
})

describe('the persons behind a funnel', () => {
  it('reached a step or dropped off before it', { tags: 'sql' }, async () => {
    const api = await startProject()

    expect(await readList(api, step({ funnelStep: 1 }))).toHaveLength(3)
    expect(await readList(api, step({ funnelStep: 2 }))).toEqual([['ada', 2]])
    expect(await readList(api, step({ funnelStep: -2 }))).toEqual([
      ['cy', 1],
      ['bob', 1],
    ])
  })

  it('are filtered by a breakdown value', async () => {
    const api = await startProject()
    const breakdownFilter = { breakdown: 'page' }

    const of = (funnelStepBreakdown: unknown) =>
      readList(api, step({ funnelStep: 1, funnelStepBreakdown }, { breakdownFilter }))

    expect(await of('a')).toEqual([['bob', 1]])
    expect(await of(['b'])).toEqual([['ada', 2]])
  })

  it('entered on a day and converted or dropped off', async () => {
    const api = await startProject()
    const funnelsFilter = { funnelVizType: 'trends' }
    const on = (funnelTrendsEntrancePeriodStart: string, funnelTrendsDropOff: boolean) =>
      readList(
        api,
        step({ funnelTrendsEntrancePeriodStart, funnelTrendsDropOff }, { funnelsFilter }),
      )

    expect(await on('2026-03-16', false)).toEqual([['ada', 2]])
    expect(await on('2026-03-16 00:00:00', true)).toEqual([['bob', 1]])
    expect(await on('2026-03-17', true)).toEqual([['cy', 1]])
  })
})

describe('the persons behind a time to convert', () => {
  it('took the seconds of a bin', { tags: 'sql' }, async () => {
    const api = await startProject()
    const times = { funnelsFilter: { funnelVizType: 'time_to_convert' } }
    const of = (funnelTimeFrom: number, funnelTimeTo?: number) =>
      readList(api, step({ funnelTimeFrom, funnelTimeTo }, times))

    expect(await of(3600)).toEqual([['ada', 2]])
    expect(await of(3600, 3601)).toEqual([['ada', 2]])
    expect(await of(0, 3600)).toEqual([])
    expect(await of(3601)).toEqual([])
  })
})

describe('the persons behind other results', () => {
  it('have one status in one interval of a lifecycle', { tags: 'sql' }, async () => {
    const api = await startProject()
    const source = { kind: 'LifecycleQuery', series: [visit], dateRange }
    const of = (day: string, status: string) => readList(api, insight(source, { day, status }))

    expect(await of('2026-03-16', 'new')).toEqual([
      ['ada', 2],
      ['bob', 1],
    ])
    expect(await of('2026-03-17', 'new')).toEqual([['cy', 1]])
    expect(await of('2026-03-17', 'returning')).toEqual([['bob', 1]])
    expect(await of('2026-03-17', 'resurrecting')).toEqual([])
    expect(await of('2026-03-17', 'dormant')).toEqual([['ada', 0]])
  })

  it('were active in a number of stickiness intervals', { tags: 'sql' }, async () => {
    const api = await startProject()
    const source = { kind: 'StickinessQuery', series: [visit], dateRange }

    expect(await readList(api, insight(source, { day: 2 }))).toEqual([['bob', 2]])
    expect(await readList(api, insight(source, { day: '1' }))).toEqual([
      ['ada', 2],
      ['cy', 1],
    ])
  })

  it('are in a cell of a retention table', { tags: 'sql' }, async () => {
    const api = await startProject()
    const entity = { id: 'visit' }
    const retentionFilter = { totalIntervals: 2, targetEntity: entity, returningEntity: entity }
    const source = { kind: 'RetentionQuery', retentionFilter, dateRange }

    expect(await readList(api, insight(source, { interval: 0 }))).toHaveLength(2)
    expect(await readList(api, insight(source, { interval: 0, returned: 1 }))).toEqual([['bob', 1]])
    expect(await readList(api, insight(source, { interval: 1, returned: 0 }))).toHaveLength(2)
  })

  it('followed a link of a path, reached a step, or dropped off', { tags: 'sql' }, async () => {
    const api = await startProject()
    await api.services.events.append(
      api.projectId,
      (['a', 'b', 'c'] as const).flatMap((event, index) =>
        ['dan', 'eve']
          .slice(0, 3 - index)
          .map((person) => toEvent({ event, person, at: `2026-03-16T08:0${index}:00Z` })),
      ),
    )
    const of = (pathsFilter: object) =>
      readList(api, insight({ kind: 'PathsQuery', dateRange, pathsFilter }))

    expect(await of({ pathStartKey: '1_a', pathEndKey: '2_b' })).toHaveLength(2)
    expect(await of({ pathStartKey: '2_b', pathEndKey: '3_c' })).toEqual([['dan', 1]])
    expect(await of({ pathEndKey: '1_a' })).toHaveLength(2)
    expect(await of({ pathStartKey: '2_b' })).toEqual([['dan', 1]])
    expect(await of({ pathDropoffKey: '2_b' })).toEqual([['eve', 1]])
  })

  it('are selected by SQL', { tags: 'sql' }, async () => {
    const api = await startProject()
    const query = "select event, person_id from events where event = 'visit'"

    expect(await readList(api, { kind: 'HogQLQuery', query })).toEqual([
      ['ada', 2],
      ['bob', 2],
      ['cy', 1],
    ])
  })
})

describe('all persons', () => {
  it('are listed without a source, newest first, with chosen columns', {
    tags: 'sql',
  }, async () => {
    const api = await startProject()

    const select = ['person.properties.plan', 'created_at', 'properties.`email`']
    const { body } = await ask(api, { select })

    expect(body.results).toEqual([
      ['pro', '2026-03-16T10:00:00.000Z', 'ada@a.example'],
      [null, '2026-03-16T09:00:00.000Z', null],
    ])
  })

  it('require the scope person:read', async () => {
    const [limited, allowed] = [
      await useApp(['query:read']),
      await useApp(['query:read', 'person:read']),
    ]

    expect(await ask(limited, {})).toMatchObject({
      status: 403,
      body: { code: 'permission_denied', detail: expect.stringContaining('person:read') },
    })
    expect((await ask(allowed, {})).status).toBe(200)
  })
})
