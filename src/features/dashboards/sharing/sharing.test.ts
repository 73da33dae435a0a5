import { describe, expect, it } from 'vitest'
import {
  type Client,
  DASHBOARDS,
  startApp,
  type TestApp,
  useApp,
} from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf, readAll } from '../../../../test/support/data/dashboards.ts'

const readSharing = async (client: Client, id: number) =>
  (await client.get(pathOf(id, '/sharing'))).body

const enable = async (client: Client, id: number, enabled = true) =>
  (await client.patch(pathOf(id, '/sharing'), { enabled })).body

const refresh = async (client: Client, id: number) =>
  (await client.post(pathOf(id, '/sharing/refresh'))).body

/** The current status of each link. */
const listStatuses = async (client: Client, ...links: { access_token: string }[]) =>
  Promise.all(links.map(async (link) => (await client.get(toPath(link))).status))

const toPath = ({ access_token }: { access_token: string }) => `/shared/${access_token}.json`

/** Every row that reading or sharing could change. */
const listRows = async ({ db }: TestApp) => ({
  projects: await db.selectFrom('projects').selectAll().execute(),
  dashboards: await db.selectFrom('dashboards').selectAll().execute(),
  links: await db.selectFrom('share_links').selectAll().execute(),
  activity: await db.selectFrom('activity').selectAll().execute(),
})

describe('the sharing configuration', () => {
  it('exists from the start: disabled, with an unguessable token', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)

    const { status, body } = await api.get(pathOf(id, '/sharing'))

    expect(status).toBe(200)
    expect(body).toEqual({
      enabled: false,
      created_at: expect.stringMatching(/Z$/),
      access_token: expect.stringMatching(/^[\w-]{30}$/),
    })
    expect(await listStatuses(api, body)).toEqual([404])
  })

  it.each([
    ['an empty one', {}],
    ['one from a template', { use_template: 'DEFAULT_APP' }],
    ['a copy', undefined],
    ['one in the trash', { deleted: true }],
  ])('is unique to %s', async (_, sent) => {
    const api = await useApp()
    const first = await createDashboard(api)
    const second = await createDashboard(api, sent ?? { use_dashboard: first.id })

    const tokens = [await readSharing(api, first.id), await readSharing(api, second.id)]

    expect(tokens[0].access_token).not.toBe(tokens[1].access_token)
  })

  it('is not changed by reading it', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    await enable(api, id)
    const before = await listRows(api)

    const read = [await readSharing(api, id), await readSharing(api, id)]

    expect(read[0]).toEqual(read[1])
    expect(await listRows(api)).toEqual(before)
    expect(await listStatuses(api, read[0])).toEqual([200])
  })

  it('keeps its token and creation time when enabled and disabled', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    const before = await readSharing(api, id)

    const on = await enable(api, id)
    const off = await enable(api, id, false)

    expect([on, off]).toEqual([{ ...before, enabled: true }, before])
    expect(await enable(api, id)).toEqual(on)
    expect(await readSharing(api, id)).toEqual(on)
  })

  it('is reflected in the dashboard and the list at once', async () => {
    const api = await useApp()
    const member = await api.as({})
    const { id } = await createDashboard(api)
    const seen = async () => [
      (await member.get(pathOf(id))).body.is_shared,
      (await member.get(DASHBOARDS)).body.results[0].is_shared,
    ]
    const before = await seen()

    await enable(api, id)

    expect([before, await seen()]).toEqual([
      [false, false],
      [true, true],
    ])
    await enable(api, id, false)
    expect(await seen()).toEqual([false, false])
  })

  it('is not changed by equal values', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    const before = await enable(api, id)

    const sent = { ...before, access_token: 'x'.repeat(30), created_at: 'x', unknown: 1 }
    const { body } = await api.patch(pathOf(id, '/sharing'), sent)

    expect(body).toEqual(before)
    expect((await api.patch(pathOf(id, '/sharing'), {})).body).toEqual(before)
    expect((await api.patch(pathOf(id, '/sharing'))).body).toEqual(before)
  })

  it.each([
    ['yes', 'invalid_input', 'Must be a valid boolean.'],
    ['true', 'invalid_input', 'Must be a valid boolean.'],
    [1, 'invalid_input', 'Must be a valid boolean.'],
    [null, 'null', 'This field may not be null.'],
  ])('rejects %j for enabled', async (enabled, code, detail) => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    const before = await readAll(api)

    const { status, body } = await api.patch(pathOf(id, '/sharing'), { enabled })

    expect(status).toBe(400)
    expect(body).toEqual({ type: 'validation_error', code, detail, attr: 'enabled' })
    expect(await readAll(api)).toEqual(before)
  })

  it('replaces its token; old ones work for five more minutes', async () => {
    const api = await startApp()
    const { id } = await createDashboard(api)
    const first = await enable(api, id)

    const second = await refresh(api, id)
    const third = await refresh(api, id)

    expect(new Set([first, second, third].map((link) => link.access_token)).size).toBe(3)
    expect([second.enabled, third.enabled]).toEqual([true, true])
    expect(await readSharing(api, id)).toEqual(third)
    expect(await listStatuses(api, first, second, third)).toEqual([200, 200, 200])
    const replaced = await api.db.selectFrom('replaced_links').selectAll().execute()
    const left = replaced.map(({ expires_at }) => Date.parse(expires_at) - Date.now())
    expect(left.filter((ms) => ms > 270_000 && ms <= 300_000)).toHaveLength(2)
  })

  it('has one token after concurrent replacements', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    const first = await enable(api, id)

    const links = await Promise.all([1, 2, 3].map(() => refresh(api, id)))

    const current = await readSharing(api, id)
    expect(links).toContainEqual(current)
    expect(await listStatuses(api, first, ...links)).toEqual([200, 200, 200, 200])
  })

  it('rejects a replaced token after its grace period', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    const first = await enable(api, id)
    const second = await refresh(api, id)
    const expires_at = new Date(Date.now() - 1).toISOString()

    await api.db
      .updateTable('replaced_links')
      .set({ expires_at })
      .where('token', '=', first.access_token)
      .execute()

    expect(await listStatuses(api, first, second)).toEqual([404, 200])
    const third = await refresh(api, id)
    expect(await listStatuses(api, first, second, third)).toEqual([404, 200, 200])
  })

  it('rejects every token when disabled, and accepts only the last one again', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    const first = await enable(api, id)
    const second = await refresh(api, id)

    await enable(api, id, false)

    expect(await listStatuses(api, first, second)).toEqual([404, 404])
    await enable(api, id)
    expect(await listStatuses(api, first, second)).toEqual([404, 200])
  })

  it('gives no grace period to a token replaced while disabled', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    const first = await enable(api, id)
    await enable(api, id, false)

    const second = await refresh(api, id)

    expect(second.enabled).toBe(false)
    await enable(api, id)
    expect(await listStatuses(api, first, second)).toEqual([404, 200])
  })

  it.each(['404', 'x', '99999999999999999999'])('responds 404 for dashboard %s', async (id) => {
    const api = await useApp()

    const responses = [
      await api.get(pathOf(id, '/sharing')),
      await api.patch(pathOf(id, '/sharing'), { enabled: true }),
      await api.post(pathOf(id, '/sharing/refresh')),
    ]

    for (const { status, body } of responses) {
      expect([status, body.detail]).toEqual([404, 'Dashboard not found.'])
    }
  })

  it('has its own scopes', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    const reader = await api.as({ scopes: ['sharing_configuration:read'] })
    const editor = await api.as({ scopes: ['dashboard:write'] })

    const responses = [
      await reader.get(pathOf(id, '/sharing')),
      await reader.patch(pathOf(id, '/sharing'), { enabled: true }),
      await reader.post(pathOf(id, '/sharing/refresh')),
      await editor.get(pathOf(id, '/sharing')),
    ]

    expect(responses.map(({ status }) => status)).toEqual([200, 403, 403, 403])
  })

  it.each([
    ['POST', '/sharing', 'GET, HEAD, PATCH, OPTIONS'],
    ['DELETE', '/sharing', 'GET, HEAD, PATCH, OPTIONS'],
    ['GET', '/sharing/refresh', 'POST, OPTIONS'],
  ])('does not allow %s %s', async (method, part, allow) => {
    const api = await useApp()
    const { id } = await createDashboard(api)

    const { status, headers } = await api.request(method, pathOf(id, part))

    expect([status, headers.get('allow')]).toEqual([405, allow])
  })
})
