import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf, textTile } from '../../../../test/support/data/dashboards.ts'
import { toEvent } from '../../../../test/support/data/queries.ts'
import { addVisits, daysAgo, visits } from '../../../../test/support/data/visits.ts'
import { until } from '../../../../test/support/until.ts'

const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&amp;\${x}`

async function share(api: TestApp, id: number): Promise<string> {
  return (await api.patch(pathOf(id, '/sharing'), { enabled: true })).body.access_token
}

const finished = (api: TestApp, path: string) =>
  until(async () => {
    const { text } = await api.withKey(undefined).get(path)
    return !text.includes('http-equiv="refresh"') && text
  })

const insight = (name: string) => ({ insight: { name, description: name, query: visits() } })

describe('a shared page', () => {
  it('reveals no users, keys, other links, dashboards, insights or projects', async () => {
    const api = await useApp()
    await addVisits(api, 2)
    const [creator, guest] = [await api.as({}), await api.as({})]
    await createDashboard(creator, { name: 'OtherSecret', tiles: [insight('InsightSecret')] })
    const { id } = await createDashboard(creator, {
      name: 'Open',
      tags: ['TagSecret'],
      restriction_level: 37,
      filters: { properties: [{ key: 'email', value: 'FilterSecret', type: 'event' }] },
      tiles: [insight('Shown'), textTile('Hello')],
    })
    await creator.post(pathOf(id, '/collaborators'), { user_uuid: guest.uuid, level: 37 })
    const old = await share(api, id)
    await api.post(pathOf(id, '/sharing/refresh'))
    const token = await share(api, id)

    const page = await finished(api, `/shared/${token}`)

    // a short name that another test gave could stand in a token by chance
    const users = await api.db
      .selectFrom('users')
      .selectAll()
      .where('uuid', 'in', [creator.uuid, guest.uuid])
      .execute()
    const projects = await api.db.selectFrom('projects').selectAll().execute()
    const secrets = [
      ...users.flatMap(({ email, uuid, distinct_id, first_name }) => [
        email,
        uuid,
        distinct_id,
        first_name,
      ]),
      ...projects.flatMap(({ name, api_token }) => [name, api_token]),
      ...[creator.key, guest.key, old, '/api/', 'short_id'],
      ...['OtherSecret', 'InsightSecret', 'TagSecret', 'FilterSecret'],
    ]
    expect(page).toContain('Shown')
    for (const secret of secrets) expect(page).not.toContain(secret)
  })

  it('escapes every text', async () => {
    const api = await useApp()
    await api.services.events.append(api.projectId, [toEvent({ event: HOSTILE, at: daysAgo(1) })])
    const query = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: HOSTILE }] }
    const { id } = await createDashboard(api, {
      name: HOSTILE,
      description: HOSTILE,
      tiles: [
        { insight: { name: HOSTILE, description: HOSTILE, query }, color: HOSTILE },
        textTile(HOSTILE, 0, 9),
        textTile(`[x](javascript:alert(1)) ![x](https://evil.example/x.png) <b onclick=x>`, 0, 20),
      ],
    })

    const page = await finished(api, `/shared/${await share(api, id)}`)

    expect(page).toContain('&lt;script&gt;alert(1)')
    expect(page).not.toMatch(/<script(?![^>]* src="\/assets\/)|<img|<b[ >]/)
    const tags = page.replace(/(?<==)"[^"]*"/g, '""').match(/<[^>]*>/g) ?? []
    expect(tags.filter((tag) => / on\w+=|alert/.test(tag))).toEqual([])
    expect(page).not.toContain('evil.example')
    expect(page).not.toContain('javascript:')
  })
})
