import { describe, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app/app.ts'
import { newEvent } from '../../../../test/support/data/events.ts'

const EVENTS = 'events'
const day = (n: number) => `2026-01-0${n}T00:00:00.000Z`

async function start() {
  const api = await useApp()
  await api.services.events.append(api.projectId, [
    newEvent({ event: 'a', distinct_id: 'x', timestamp: day(1) }),
    newEvent({ event: 'b', distinct_id: 'x y/ü', timestamp: day(2), properties: '{"n":[1]}' }),
    newEvent({ event: 'a', distinct_id: 'z', timestamp: day(3) }),
  ])
  const days = async (query: string) =>
    (await api.get(`${EVENTS}?${query}`)).body.results.map(({ timestamp }: { timestamp: string }) =>
      Number(timestamp[9]),
    )
  return { api, days }
}

describe('events', () => {
  it('are listed newest first, with their properties', { tags: 'sql' }, async () => {
    const { api } = await start()

    const { body } = await api.get(EVENTS)

    expect(body.next).toBeNull()
    expect(body.results).toHaveLength(3)
    expect(body.results[1]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event: 'b',
      distinct_id: 'x y/ü',
      timestamp: day(2),
      properties: { n: [1] },
      created_at: expect.any(String),
    })
  })

  it('can be filtered', { tags: 'sql' }, async () => {
    const { days } = await start()

    expect(await days('event=a')).toEqual([3, 1])
    expect(await days('distinct_id=x')).toEqual([1])
    expect(await days(`after=${day(1)}&before=${day(3)}`)).toEqual([2])
    expect(await days('after=2026-01-02')).toEqual([3])
    expect(await days('event=nothing')).toEqual([])
  })

  it('are listed without a project in the URL, as older apps read them', async () => {
    const { api } = await start()

    const { body } = await api.get('/api/event/?after=2026-01-02')

    expect(body.results).toHaveLength(1)
  })

  it('are paged by links', { tags: 'sql' }, async () => {
    const { api } = await start()

    const first = (await api.get(`${EVENTS}?limit=2&event=a`)).body
    const cut = (await api.get(`${EVENTS}?limit=2`)).body
    const rest = (await api.get(cut.next.slice(api.url.length))).body

    expect([first.results.length, first.next]).toEqual([2, null])
    expect(cut.next).toBe(api.address(`${EVENTS}?limit=2&offset=2`))
    expect([rest.results.length, rest.next]).toEqual([1, null])
    expect((await api.get(`${EVENTS}?offset=50`)).body).toEqual({ next: null, results: [] })
  })

  it('are read in batches, and large pages end early', { tags: 'sql' }, async () => {
    const api = await useApp()
    const large = JSON.stringify({ a: 'x'.repeat(200_000) })
    const many = Array.from({ length: 250 }, (_, n) =>
      newEvent({
        event: `${n}`,
        ...(n < 100 ? { properties: large, timestamp: day(2) } : { timestamp: day(1) }),
      }),
    )
    await api.services.events.append(api.projectId, many)

    const names: string[] = []
    let [path, pages] = [`${EVENTS}?limit=1000`, 0]
    while (path) {
      const { body } = await api.get(path)
      names.push(...body.results.map(({ event }: { event: string }) => event))
      path = body.next?.slice(api.url.length)
      pages++
    }

    expect(names.toSorted()).toEqual(many.map(({ event }) => event).toSorted())
    expect(pages).toBeGreaterThan(1)
  })

  it.each(['after', 'before'])('require a time in %s', async (name) => {
    const { api } = await start()

    for (const text of ['yesterday', '', '2026-99-99', '0000-01-01']) {
      const { status, body } = await api.get(`${EVENTS}?${name}=${text}`)
      expect([status, body.attr], text).toEqual([400, name])
    }
  })

  it('are isolated between projects', async () => {
    const { api } = await start()
    const other = await api.createProject()

    expect((await api.get(`/api/projects/${other}/events`)).body.results).toEqual([])
    const { status } = await api.delete(`/api/projects/${other}/persons/x/events`)

    expect(status).toBe(404)
    expect((await api.get(EVENTS)).body.results).toHaveLength(3)
  })
})

describe('events of a person', () => {
  it('are deleted, and the log names the person, the user and the count', {
    tags: 'sql',
  }, async () => {
    const { api, days } = await start()
    const path = `persons/${encodeURIComponent('x y/ü')}/events`

    const { status, body } = await api.delete(path)

    expect([status, body]).toEqual([200, { deleted: 1 }])
    expect(await days('')).toEqual([3, 1])
    const item_id = api.projectId
    const log = api.db
      .selectFrom('activity')
      .selectAll()
      .where('scope', '=', 'Project')
      .where('item_id', '=', item_id)
    const [entry] = await log.execute()
    expect(entry).toMatchObject({ activity: 'events_deleted', item_id, user_id: 1 })
    expect(JSON.parse(entry?.detail ?? '')).toMatchObject({
      name: 'x y/ü',
      changes: [{ field: 'events', before: 1, after: null }],
    })
    expect((await api.delete(path)).status).toBe(404)
    expect(await log.execute()).toHaveLength(1)
  })

  it('are deleted by admins only', async () => {
    const { api } = await start()
    const [member, admin] = [await api.as({}), await api.as({ level: 8 })]

    expect((await member.delete('persons/x/events')).status).toBe(403)
    expect((await admin.delete('persons/x/events')).status).toBe(200)
  })

  it.each(['a%00b', '%F0%9F%98%80', 'x'.repeat(5000), "'; delete from events; --"])(
    'are not found for %s',
    async (id) => {
      const { api } = await start()

      expect((await api.delete(`persons/${id}/events`)).status).toBe(404)
      expect((await api.get(EVENTS)).body.results).toHaveLength(3)
    },
  )
})
