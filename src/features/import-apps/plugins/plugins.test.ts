import { describe, expect, it } from 'vitest'
import { CONFIGS, startApp } from '../../../../test/support/app/app.ts'
import { appOf, PLUGINS, sourceOf } from '../../../../test/support/app/plugin.ts'

const CODE = `
  export const setupPlugin = () => {}
  export const runEveryHour = () => {}
  export const jobs = { 'Import now': () => {}, hidden: () => {} }
`
const JOBS = { 'Import now': { payload: { from: { type: 'date', title: 'From' } } } }

describe('plugins', () => {
  it('installs an app from its files and describes it', async () => {
    const api = await startApp()
    const { body: me } = await api.get('/api/users/@me')
    const manifest = { description: 'Does things.', icon: 'https://a/b.png', publicJobs: JOBS }
    const files = appOf(CODE, { ...manifest, config: [{ key: 'url', required: true }] })

    const { status, body } = await api.post(PLUGINS, { plugin_type: 'source', files })

    expect(status).toBe(201)
    expect(body).toEqual({
      ...{ id: 1000, plugin_type: 'source', name: 'Test app', version: '', url: null },
      ...{ description: 'Does things.', icon: 'https://a/b.png', tag: null, latest_tag: null },
      config_schema: [{ key: 'url', required: true }],
      public_jobs: JOBS,
      capabilities: {
        scheduled_tasks: ['runEveryHour'],
        jobs: ['Import now', 'hidden'],
        methods: ['setupPlugin'],
      },
      ...{ is_global: false, built_in: false, has_frontend: false, metrics: {}, limitation: '' },
      organization_id: me.organization.id,
      organization_name: me.organization.name,
      hog_function_migration_available: false,
      created_at: expect.any(String),
      updated_at: body.created_at,
    })
    expect((await api.get(`${PLUGINS}/1000`)).body).toEqual(body)
    expect((await api.get(`${PLUGINS}/1000/source`)).body).toEqual(files)
  })

  it('installs an app from the text of index.ts, or only a name', async () => {
    const api = await startApp()

    const alone = await api.post(PLUGINS, { plugin_type: 'source', name: 'A', source: CODE })
    const empty = await api.post(PLUGINS, { plugin_type: 'source', name: 'B' })

    expect(alone.body).toMatchObject({ name: 'A', capabilities: { methods: ['setupPlugin'] } })
    expect(empty.body).toMatchObject({ name: 'B', capabilities: { jobs: [], methods: [] } })
    expect((await api.get(`${PLUGINS}/${empty.body.id}/source`)).body).toEqual({})
  })

  it('bundles the files that the app imports', async () => {
    const api = await startApp()
    const more = { 'lib/schedule.ts': 'export const runEveryDay = () => {}' }

    const { body } = await api.post(
      PLUGINS,
      sourceOf("export { runEveryDay } from './lib/schedule'", {}, more),
    )

    expect(body.capabilities.scheduled_tasks).toEqual(['runEveryDay'])
  })

  it('lists built-in and installed apps in pages', async () => {
    const api = await startApp()
    await api.post(PLUGINS, sourceOf(CODE))

    const { body } = await api.get(PLUGINS)
    const last = await api.get(`${PLUGINS}?limit=1&offset=${body.count - 1}`)
    const past = await api.get(`${PLUGINS}?offset=50`)

    expect(body.results.slice(0, 2)).toMatchObject([
      { id: 1, name: 'HTTP JSON', plugin_type: 'inline', built_in: true, is_global: true },
      { id: 2, name: 'CSV' },
    ])
    expect(last.body).toMatchObject({ results: [{ id: 1000, built_in: false }], next: null })
    expect(past.body).toMatchObject({ count: body.count, results: [] })
  })

  it('never reuses the id of an uninstalled app', async () => {
    const api = await startApp()
    const first = await api.post(PLUGINS, sourceOf(CODE))
    await api.delete(`${PLUGINS}/${first.body.id}`)

    const second = await api.post(PLUGINS, sourceOf(CODE))

    expect([first.body.id, second.body.id]).toEqual([1000, 1001])
  })

  it('changes only the fields sent', async () => {
    const api = await startApp()
    const { body: before } = await api.post(PLUGINS, sourceOf(CODE, { description: 'Old' }))

    const { body } = await api.patch(`${PLUGINS}/1000`, { name: 'New', icon: null, tag: 'x' })

    expect(body).toEqual({ ...before, name: 'New', updated_at: body.updated_at })
    expect(body.updated_at > before.updated_at).toBe(true)
    expect((await api.get(`${PLUGINS}/1000`)).body).toEqual(body)
  })

  it('uninstalls an app and keeps its configs, with an error', async () => {
    const api = await startApp()
    await api.post(PLUGINS, sourceOf(CODE))
    const { body: config } = await api.post(CONFIGS, { plugin: 1000 })
    expect(config).toMatchObject({ error: '', name: 'Test app' })

    const { status, text } = await api.delete(`${PLUGINS}/1000`)

    expect({ status, text }).toEqual({ status: 204, text: '' })
    expect((await api.get(`${PLUGINS}/1000`)).status).toBe(404)
    expect((await api.get(`${CONFIGS}/${config.id}`)).body).toMatchObject({
      error: 'Plugin 1000 is not installed.',
      plugin_info: '',
    })
    expect(await api.db.selectFrom('plugin_files').selectAll().execute()).toEqual([])
  })

  it('lists for admins the projects that use an app', async () => {
    const api = await startApp()
    const shop = await api.createProject('Shop')
    await api.post(PLUGINS, sourceOf(CODE))
    await api.post(CONFIGS, { plugin: 1000 })
    const { body: trashed } = await api.post(CONFIGS, { plugin: 1000 })
    await api.patch(`${CONFIGS}/${trashed.id}`, { deleted: true })
    await api.post(CONFIGS, { plugin: 1 })
    for (const name of ['a', 'b']) {
      await api.post(api.path(CONFIGS, shop), { plugin: 1000, name })
    }

    const { body } = await api.get(`${PLUGINS}/1000/uses`)

    expect(body).toMatchObject([
      { project_id: 1, configs: 1 },
      { project_id: shop, project_name: 'Shop', configs: 2 },
    ])
    expect((await api.get(`${PLUGINS}/2/uses`)).body).toEqual([])
    expect((await api.get(`${PLUGINS}/1001/uses`)).status).toBe(404)
    expect((await (await api.as({})).get(`${PLUGINS}/1000/uses`)).status).toBe(403)
  })

  it('refuses to change, upgrade or uninstall built-in apps', async () => {
    const api = await startApp()
    const { body: before } = await api.get(`${PLUGINS}/1`)

    const responses = [
      await api.patch(`${PLUGINS}/1`, { name: 'Mine' }),
      await api.patch(`${PLUGINS}/1/update_source`, { 'index.ts': '' }),
      await api.post(`${PLUGINS}/1/upgrade`, {}),
      await api.delete(`${PLUGINS}/1`),
    ]

    expect(responses.map(({ status, body }) => `${status} ${body.detail}`)).toEqual([
      '409 HTTP JSON comes with Hedgerow and cannot be changed.',
      '409 HTTP JSON comes with Hedgerow and cannot be changed.',
      '409 HTTP JSON comes with Hedgerow and cannot be upgraded.',
      '409 HTTP JSON comes with Hedgerow and cannot be uninstalled.',
    ])
    expect((await api.get(`${PLUGINS}/1`)).body).toEqual(before)
    expect((await api.get(`${PLUGINS}/1/check_for_updates`)).body).toEqual({ plugin: before })
  })

  it('logs changes of an app in every project', async () => {
    const api = await startApp()
    await api.createProject()
    await api.post(PLUGINS, sourceOf(CODE))
    await api.patch(`${PLUGINS}/1000`, { name: 'New' })
    await api.patch(`${PLUGINS}/1000/update_source`, { 'a.ts': '' })

    await api.delete(`${PLUGINS}/1000`)

    const entries = api.db.selectFrom('activity').select(['project_id', 'activity', 'detail'])
    const logged = await entries.where('scope', '=', 'Plugin').orderBy('id').execute()
    const activities = ['installed', 'updated', 'source_updated', 'uninstalled']
    expect(logged.map(({ project_id, activity }) => `${activity} ${project_id}`)).toEqual(
      activities.flatMap((activity) => [`${activity} 1`, `${activity} 2`]),
    )
    expect(JSON.parse(logged[2]?.detail ?? '')).toMatchObject({
      name: 'New',
      changes: [{ type: 'Plugin', field: 'name', before: 'Test app', after: 'New' }],
    })
  })
})

describe('the plugins of an organization', () => {
  it('are found only under the id of the organization', async () => {
    const api = await startApp()
    const { body: me } = await api.get('/api/users/@me')
    const at = (organization: string) => api.get(`/api/organizations/${organization}/plugins`)

    expect((await at(me.organization.id)).status).toBe(200)
    expect((await at(me.organization.id.toUpperCase())).status).toBe(200)
    for (const other of ['0b0f3c0e-0000-4000-8000-000000000000', '1', '@me']) {
      expect(await at(other)).toMatchObject({
        status: 404,
        body: { detail: 'Organization not found.' },
      })
    }
  })

  it('can be changed by admins whose key is not limited to projects', async () => {
    const api = await startApp()
    const member = await api.as({ level: 1 })
    const admin = await api.as({ level: 8 })
    const limited = await api.as({ level: 15, projects: [1] })

    const refused = await member.post(PLUGINS, sourceOf(CODE))
    const limitedTo = await limited.post(PLUGINS, sourceOf(CODE))

    expect(refused).toMatchObject({
      status: 403,
      body: {
        code: 'permission_denied',
        detail: 'This needs an admin or owner of the organization, and you are a member.',
      },
    })
    expect(limitedTo).toMatchObject({
      status: 403,
      body: {
        detail: 'API key is limited to projects, and this affects the whole organization.',
      },
    })
    expect((await member.get(PLUGINS)).status).toBe(200)
    expect((await limited.get(PLUGINS)).status).toBe(200)
    expect((await admin.post(PLUGINS, sourceOf(CODE))).status).toBe(201)
  })
})
