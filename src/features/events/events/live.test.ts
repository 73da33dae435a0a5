import { describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../../test/support/app/app.ts'
import { OWNER } from '../../../../test/support/app/owner.ts'
import { newEvent } from '../../../../test/support/data/events.ts'
import { openStream, parseServerEvents } from '../../../../test/support/streams.ts'
import { until } from '../../../../test/support/until.ts'

const now = () => new Date().toISOString()

/** Collects the received server-sent events so far: their names, and the names of the events in them. */
async function watch(api: TestApp, query = '', project = api.projectId) {
  const { response, text } = await openStream(
    `${api.url}/api/projects/${project}/events/live${query}`,
    { authorization: `Bearer ${OWNER.apiKey}` },
  )
  const seen = (): string[] =>
    parseServerEvents(text()).map(({ event, data }) =>
      [event, data.event].filter(Boolean).join(' '),
    )
  return { response, seen, text }
}

describe('live events', () => {
  it('are sent once each as they come in', { tags: 'sql' }, async () => {
    const api = await startApp()
    const { response, seen, text } = await watch(api)

    await api.services.events.append(api.projectId, [newEvent({ event: 'one', timestamp: now() })])
    await until(() => seen().length >= 1)
    await api.services.events.append(api.projectId, [
      newEvent({ event: 'two\n\ndata: x', timestamp: now() }),
    ])
    await until(() => seen().length >= 2)

    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(seen()).toEqual(['event one', 'event two\n\ndata: x'])
    expect(text()).toContain('"distinct_id":"ada"')
  })

  it('can be filtered by name and person', async () => {
    const api = await startApp()
    const { seen } = await watch(api, '?event=a&distinct_id=ada')

    await api.services.events.append(api.projectId, [
      newEvent({ event: 'b', timestamp: now() }),
      newEvent({ event: 'a', distinct_id: 'bob', timestamp: now() }),
      newEvent({ event: 'a', timestamp: now() }),
    ])
    await until(() => seen().length >= 1)

    expect(seen()).toEqual(['event a'])
  })

  it('can be filtered by properties of events and persons', { tags: 'sql' }, async () => {
    const api = await startApp()
    const filters = [
      { key: 'amount', operator: 'gt', value: 5 },
      { key: 'plan', value: 'pro', type: 'person' },
    ]
    const query = `?properties=${encodeURIComponent(JSON.stringify(filters))}`
    const { seen } = await watch(api, query)
    const paid = (event: string, properties: object, distinct_id = 'ada') =>
      newEvent({ event, distinct_id, timestamp: now(), properties: JSON.stringify(properties) })

    await api.services.events.append(api.projectId, [
      paid('cheap', { amount: 3, $set: { plan: 'pro' } }),
      paid('free', { amount: 9 }, 'bob'),
      ...Array.from({ length: 60 }, () => paid('other', {}, 'bob')),
      paid('match', { amount: 9 }),
    ])
    await until(() => seen().length >= 1)
    await api.services.events.append(api.projectId, [paid('next', { amount: 7 })])
    await until(() => seen().length >= 2)

    expect(seen()).toEqual(['event match', 'event next'])
  })

  it('refuse filters that are not valid', async () => {
    const api = await startApp()

    const { status, body } = await api.get('events/live?properties=7')

    expect([status, body.attr]).toEqual([400, 'properties'])
  })

  it('report skipped and older events', async () => {
    const api = await startApp()
    const { seen } = await watch(api)
    // the first poll finds all existing events, so it must be done
    await api.services.events.append(api.projectId, [newEvent({ event: 'y', timestamp: now() })])
    await until(() => seen().includes('event y'))
    const many = Array.from({ length: 60 }, () => newEvent({ event: 'x', timestamp: now() }))

    await api.services.events.append(api.projectId, many)
    await until(() => seen().includes('skipped'))
    await api.services.events.append(api.projectId, [
      newEvent({ timestamp: '2020-01-01T00:00:00.000Z' }),
    ])
    await until(() => seen().includes('changed'))

    expect(seen().filter((name) => name === 'event x')).toHaveLength(50)
    expect(seen().slice(-2)).toEqual(['skipped', 'changed'])
  })

  it('are isolated between projects', async () => {
    const api = await startApp()
    const other = await api.createProject()
    const [here, there] = [await watch(api), await watch(api, '', other)]

    await api.services.events.append(other, [newEvent({ event: 'theirs', timestamp: now() })])
    await until(() => there.seen().length > 0)
    await api.services.events.append(api.projectId, [newEvent({ event: 'ours', timestamp: now() })])
    await until(() => here.seen().length > 0)

    expect([here.seen(), there.seen()]).toEqual([['event ours'], ['event theirs']])
  })
})
