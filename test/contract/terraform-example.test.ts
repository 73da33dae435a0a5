import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startApp } from '../support/app/app.ts'
import { CREATIONS, resolveAll, toTiles } from './terraform/example.ts'
import { readResources } from './terraform/hcl.ts'

const DOCUMENT = readFileSync(new URL('../../docs/terraform.md', import.meta.url), 'utf8')
const [, CODE = ''] = /```hcl\n([\s\S]*?)```/.exec(DOCUMENT) ?? []

const MAIL = { HEDGEROW_SMTP_URL: 'smtp://127.0.0.1:1', HEDGEROW_MAIL_FROM: 'h@example.com' }
const SCOPES = ['dashboard:write', 'insight:write', 'query:read', 'alert:write'] as const

describe('the example of the documentation', () => {
  it('creates what its attributes say', async () => {
    const api = await startApp([...SCOPES], MAIL)
    const ids = new Map<string, number>()
    const applied: string[] = []
    const send = async (method: string, path: string, body?: unknown) => {
      const url = path.replace('$project', String(api.projectId))
      const { status, body: received } = await api.request(method, url, body)
      expect([url, status, received?.detail]).toEqual([
        url,
        method === 'POST' ? 201 : 200,
        undefined,
      ])
      return received
    }

    for (const { type, name, attributes } of readResources(CODE)) {
      const resolved = resolveAll(attributes, ids)
      const creation = CREATIONS[type]
      if (creation) {
        const body = creation.toBody(resolved)
        const created = await send('POST', creation.path, body)
        const { insight, subscribed_users } = body as {
          insight?: number
          subscribed_users?: number[]
        }
        expect(created).toMatchObject({
          ...body,
          ...(insight && { insight: { id: insight } }),
          ...(subscribed_users && { subscribed_users: subscribed_users.map((id) => ({ id })) }),
        })
        ids.set(`${type}.${name}`, created.id)
      } else {
        expect(type).toBe('posthog_dashboard_layout')
        const { dashboard_id, tiles, ...rest } = resolved
        expect(rest).toEqual({})
        const path = `/api/projects/$project/dashboards/${dashboard_id}/`
        const { tiles: shown } = await send('GET', path)
        const tileOf = (id: unknown) =>
          shown.find((tile: { insight: { id: unknown } }) => tile.insight.id === id).id
        const wanted = toTiles(tiles, tileOf)
        const { tiles: patched } = await send('PATCH', path, { tiles: wanted })
        expect(patched).toMatchObject(wanted)
      }
      applied.push(type)
    }

    expect(applied).toEqual([
      ...['posthog_dashboard', 'posthog_insight', 'posthog_dashboard_layout', 'posthog_alert'],
    ])
  })

  it.each(['insight_variables', 'feature_flags', 'experiments', 'surveys'])(
    'would fail with a resource at %s, which the server does not have',
    async (path) => {
      const api = await startApp()

      const { status, body } = await api.post(`${path}/`, { name: 'Region', type: 'String' })

      expect([status, body.code]).toEqual([404, 'not_found'])
    },
  )
})
