import { describe, expect, it } from 'vitest'
import { type NewCaller, startApp, type TestApp } from '../support/app/app.ts'
import { CONVERSATIONS } from './terraform/conversations.ts'
import type { Exchange } from './terraform/exchange.ts'
import { decode, SHAPES } from './terraform/shapes.ts'

/** The scopes that the documentation names. */
const SCOPES = [
  'dashboard:write',
  'insight:write',
  'query:read',
  'alert:write',
  'cohort:write',
  'project:write',
  'organization_member:write',
] as const satisfies NewCaller['scopes']

const MAIL = { HEDGEROW_SMTP_URL: 'smtp://127.0.0.1:1', HEDGEROW_MAIL_FROM: 'h@example.com' }

/** The provider sends the content type without a body too. */
const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'posthog/terraform-provider; version: 1.0.0',
}

type Values = Map<string, unknown>

/** Replaces `$name` by the saved value, and `$$` by a dollar sign. */
function fill(template: unknown, values: Values): unknown {
  if (typeof template === 'string') return fillText(template, values)
  if (Array.isArray(template)) return template.map((item) => fill(item, values))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([k, v]) => [k, fill(v, values)]))
}

function fillText(template: string, values: Values): unknown {
  const [, whole] = /^\$(\w+)$/.exec(template) ?? []
  if (whole) return values.get(whole)
  return template.replace(/\$(\$|\w+)/g, (_, name) => (name === '$' ? '$' : `${values.get(name)}`))
}

const pick = (body: unknown, path: string): unknown =>
  path.split('.').reduce((value, key) => (value as Record<string, unknown>)[key], body)

async function startTerraform() {
  const api = await startApp(undefined, MAIL)
  const provider = await api.as({ level: 15, scopes: SCOPES })
  const colleague = await api.as({})
  const { body: organization } = await api.get('/api/organizations/@current')
  const values: Values = new Map<string, unknown>([
    ['project', api.projectId],
    ['organization', organization.id],
    ['user', colleague.userId],
    ['colleague', colleague.uuid],
  ])
  return { api, provider, values }
}

describe("PostHog's Terraform provider", () => {
  it.each(Object.entries(CONVERSATIONS))('manages %s', async (_, exchanges) => {
    const { provider, values } = await startTerraform()

    for (const exchange of exchanges) {
      const [method = '', path = ''] = exchange.send.split(' ')
      const url = String(fillText(path, values))
      const sent = fill(exchange.body, values)
      const { status, body } = await provider.request(method, url, sent, HEADERS)

      const at = `${exchange.step}: ${method} ${url}`
      expect([at, status]).toEqual([at, exchange.status ?? (method === 'POST' ? 201 : 200)])
      for (const [name, where] of Object.entries(exchange.saves ?? {})) {
        values.set(name, pick(body, where))
      }
      requireState(exchange, body, values, at)
    }
  })

  it('leaves nothing in lists after destroy', async () => {
    const { api, provider, values } = await startTerraform()
    for (const name of ['posthog_dashboard', 'posthog_insight', 'posthog_cohort']) {
      for (const { send, body } of CONVERSATIONS[name] ?? []) {
        const [method = '', path = ''] = send.split(' ')
        const url = String(fillText(path, values))
        const { body: received } = await provider.request(method, url, fill(body, values), HEADERS)
        if (method === 'POST') values.set(path.split('/').at(-2)?.slice(0, -1) ?? '', received.id)
      }
    }

    expect(await namesIn(api, 'insights')).toEqual([])
    expect(await namesIn(api, 'cohorts')).toEqual([])
    expect(await namesIn(api, 'dashboards')).toEqual(['Growth']) // the one that held the insight
  })
})

const namesIn = async (api: TestApp, path: string): Promise<string[]> =>
  (await api.get(path)).body.results.map(({ name }: { name: string }) => name)

function requireState(exchange: Exchange, body: unknown, values: Values, at: string): void {
  if (!exchange.reads) return
  const state = decode(SHAPES[exchange.reads], body)
  if (exchange.state) expect({ at, state }).toEqual({ at, state: fill(exchange.state, values) })
}
