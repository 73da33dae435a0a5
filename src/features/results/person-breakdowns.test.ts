import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../test/support/app/app.ts'
import { createDashboard } from '../../../test/support/data/dashboards.ts'
import { addEvents, doing, setting, signingIn } from '../../../test/support/data/persons.ts'
import { QUERY } from '../../../test/support/data/visits.ts'

const VISITOR = '0190a5c1-77aa-7000-8000-0000003f9a2c'
const ANON = '0190a5c1-77aa-7000-8000-000000aaaaaa'

const trend = (breakdown: string, more: object = {}) => ({
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'paid' }],
  dateRange: { date_from: 'all' },
  trendsFilter: { display: 'ActionsBarValue' },
  breakdownFilter: { breakdown_type: 'event_metadata', breakdown, ...more },
})

/** Ada has a name and pays under two IDs, Bob has an address, a visitor has a made-up ID, and Cy has no profile. */
async function start() {
  const api = await useApp()
  await addEvents(
    api,
    setting('ada', { name: 'Ada Heath', email: 'ada@example.com' }),
    doing(ANON, { event: 'paid' }),
    signingIn('ada', ANON),
    ...Array.from({ length: 3 }, () => doing('ada', { event: 'paid' })),
    setting('bob', { email: 'bob@example.com' }),
    ...Array.from({ length: 3 }, () => doing('bob', { event: 'paid' })),
    ...Array.from({ length: 2 }, () => doing(VISITOR, { event: 'paid' })),
    doing('cy', { event: 'paid', $process_person_profile: false }),
  )
  return api
}

async function ask(api: TestApp, query: object) {
  const { status, body, text } = await api.post(QUERY, { query })
  expect(status, text).toBe(200)
  return body.results as Record<string, unknown>[]
}

const namesOf = (results: readonly Record<string, unknown>[]) =>
  Object.fromEntries(results.map((each) => [each.breakdown_value, each.breakdown_name]))

describe('a breakdown by persons', () => {
  it('names nobody to visitors of public links', async () => {
    const api = await start()
    const tiles = ['distinct_id', 'person_id'].map((breakdown) => ({
      insight: {
        name: breakdown,
        query: { kind: 'InsightVizNode', source: trend(breakdown) },
      },
    }))
    const { id } = await createDashboard(api, { name: 'Payers', tiles })
    const { body } = await api.patch(`dashboards/${id}/sharing`, { enabled: true })
    const visitor = api.withKey(undefined)
    const read = (file: string) => visitor.get(`/shared/${body.access_token}${file}`)

    const { text: inside } = await api.get(`dashboards/${id}?refresh=blocking`)
    const { body: frozen } = await api.post(`dashboards/${id}/sharing/links`, {
      snapshot_at: 'now',
    })
    const files = [await read(''), await read('.json'), await read('.csv')]
    const kept = await visitor.get(`/shared/${frozen.access_token}.json`)

    expect(inside).toContain('Ada Heath')
    for (const { status, text } of [...files, kept]) {
      expect(status).toBe(200)
      expect(text).toContain(VISITOR)
      expect(text).not.toMatch(/Ada Heath|bob@example/)
    }
  })

  it('has their names beside their IDs', { tags: 'sql' }, async () => {
    const api = await start()

    const byId = namesOf(await ask(api, trend('distinct_id')))
    const byPerson = await ask(api, trend('person_id'))

    expect(byId).toEqual({
      ada: 'Ada Heath',
      [ANON]: 'Ada Heath',
      bob: 'bob@example.com',
      [VISITOR]: 'Visitor 3f9a2c',
      cy: undefined,
    })
    const names = byPerson.map((each) => [each.breakdown_name, each.aggregated_value])
    expect(names.toSorted()).toEqual([
      ['Ada Heath', 4],
      ['Visitor 3f9a2c', 2],
      ['bob@example.com', 3],
      ['cy', 1],
    ])
    for (const { label, breakdown_value } of byPerson) {
      expect([label, breakdown_value]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), label])
    }
  })

  it('has names in funnels, but none for those that are added up', async () => {
    const api = await start()
    const { trendsFilter: _, series, ...query } = trend('distinct_id')
    const funnel = { ...query, kind: 'FunnelsQuery', series: [...series, ...series] }

    const groups = (await ask(api, funnel)) as unknown as Record<string, unknown>[][]
    const limited = await ask(api, trend('distinct_id', { breakdown_limit: 1 }))

    expect(namesOf(groups.flat())).toMatchObject({ bob: 'bob@example.com' })
    expect(Object.values(namesOf(limited)).filter(Boolean)).toHaveLength(1)
  })

  it('has no names beside properties, whose values may look like IDs', async () => {
    const api = await useApp()
    await addEvents(api, doing('a', { event: 'paid', order: VISITOR }))

    const [found] = await ask(api, {
      ...trend('order'),
      breakdownFilter: { breakdown: 'order', breakdown_type: 'event' },
    })

    expect(found).toMatchObject({ breakdown_value: VISITOR })
    expect(found).not.toHaveProperty('breakdown_name')
  })

  it('has names on charts and IDs in files', async () => {
    const api = await start()
    const insight = await api.post('insights', { query: trend('distinct_id') })

    const csv = await api.get(`insights/${insight.body.id}/export.csv`)
    const svg = await api.get(`insights/${insight.body.id}/export.svg`)

    expect(csv.text).toContain(VISITOR)
    expect(csv.text).not.toContain('Visitor 3f9a2c')
    expect(svg.text).toContain('Visitor 3f9a2c')
  })
})
