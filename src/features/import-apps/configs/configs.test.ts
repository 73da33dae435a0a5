import { describe, expect, it } from 'vitest'
import { CONFIGS, useApp } from '../../../../test/support/app/app.ts'
import { createConfig } from '../../../../test/support/data/configs.ts'

const FIELDS = [
  ...['id', 'plugin', 'enabled', 'order', 'config', 'error', 'team_id', 'plugin_info'],
  ...['delivery_rate_24h', 'created_at', 'updated_at', 'name', 'description', 'deleted'],
]
const idsOf = (body: { results: { id: number }[] }) => body.results.map(({ id }) => id)

describe('pipeline configs', () => {
  it('are created from a plugin and an order', async () => {
    const api = await useApp()

    const { status, body } = await api.post(CONFIGS, { plugin: 4, order: 3 })

    expect(status).toBe(201)
    expect(Object.keys(body)).toEqual(FIELDS)
    expect(body).toMatchObject({ plugin: 4, enabled: false, order: 3, team_id: api.projectId })
    expect(body).toMatchObject({ config: '{}', error: '', delivery_rate_24h: '', deleted: false })
    expect(body.updated_at).toBe(body.created_at)
    expect(JSON.parse(body.plugin_info)).toMatchObject({ id: 4, name: 'Demo data' })
  })

  it('are read back as they were created', async () => {
    const api = await useApp()
    const sent = { plugin: 1, enabled: true, order: -7, name: ' a ', description: 'é\n𝄞' }
    const created = await api.post(CONFIGS, sent)

    const read = await api.get(`${CONFIGS}/${created.body.id}`)

    expect(read.body).toEqual(created.body)
    expect(read.body).toMatchObject(sent)
  })

  it('describe their plugin', async () => {
    const api = await useApp()

    const { body } = await api.post(CONFIGS, { plugin: 3 })

    expect(Object.keys(JSON.parse(body.plugin_info))).toEqual([
      ...['id', 'name', 'version', 'description'],
      ...['config_schema', 'public_jobs', 'capabilities'],
    ])
  })

  it('accept a plugin that is not installed and report it', async () => {
    const api = await useApp()

    const { status, body } = await api.post(CONFIGS, { plugin: Number.MAX_SAFE_INTEGER })

    expect(status).toBe(201)
    expect(body).toMatchObject({
      plugin: Number.MAX_SAFE_INTEGER,
      error: `Plugin ${Number.MAX_SAFE_INTEGER} is not installed.`,
      plugin_info: '',
      name: '',
      description: '',
    })
  })

  it('get the next order if none is sent', async () => {
    const api = await useApp()
    const configs = []
    for (const order of [undefined, undefined, 40, undefined, 2 ** 31 - 1, undefined]) {
      configs.push(await createConfig(api, { plugin: 4, order }))
    }
    for (const { id } of configs.slice(4)) await api.patch(`${CONFIGS}/${id}`, { deleted: true })

    const { body } = await api.post(CONFIGS, { plugin: 4 })

    expect(configs.map(({ order }) => order)).toEqual([0, 1, 40, 41, 2 ** 31 - 1, 2 ** 31 - 1])
    expect(body.order).toBe(42)
  })

  it('change only in the fields sent', async () => {
    const api = await useApp()
    const before = await createConfig(api, { plugin: 4, name: 'Mine', enabled: true })

    const { status, body } = await api.patch(`${CONFIGS}/${before.id}`, { order: 9 })

    expect(status).toBe(200)
    expect(body).toEqual({ ...before, order: 9, updated_at: body.updated_at })
    expect(body.updated_at > before.updated_at).toBe(true)
  })

  it('change in every writable field', async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4 })
    const sent = { plugin: 2, enabled: true, order: 5, name: 'n', description: 'd', deleted: false }

    const { body } = await api.patch(`${CONFIGS}/${id}`, sent)

    expect(body).toMatchObject(sent)
    expect((await api.get(`${CONFIGS}/${id}`)).body).toEqual(body)
  })

  it('are not changed by equal values', async () => {
    const api = await useApp()
    const before = await createConfig(api, { plugin: 4 })

    const { body } = await api.patch(`${CONFIGS}/${before.id}`, { plugin: 4, order: 0, name: '' })

    expect(body).toEqual(before)
  })

  it("fall back to the plugin's name and description", async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4, name: 'Mine', description: 'My own' })

    const { body } = await api.patch(`${CONFIGS}/${id}`, { name: '', description: '' })

    expect(body.name).toBe('Demo data')
    expect(body.description).toContain('90 days')
  })

  it('ignore read-only and unknown fields', async () => {
    const api = await useApp()
    const sent = { plugin: 4, id: 77, team_id: 9, plugin_info: 'x', error: 'x', extra: {} }

    const { status, body } = await api.post(CONFIGS, sent)

    expect(status).toBe(201)
    expect(body).toMatchObject({ team_id: api.projectId, config: '{}', error: '' })
    expect(body.id).not.toBe(77)
  })

  it('are listed by order, then by id', async () => {
    const api = await useApp()
    const ids = []
    for (const order of [2, 1, 2, -1]) ids.push((await createConfig(api, { plugin: 4, order })).id)

    const { body } = await api.get(CONFIGS)

    expect(body).toMatchObject({ count: 4, next: null, previous: null })
    expect(idsOf(body)).toEqual([ids[3], ids[1], ids[0], ids[2]])
  })

  it('are paginated, and counted past the end', async () => {
    const api = await useApp()
    const ids = []
    for (const order of [1, 2, 3]) ids.push((await createConfig(api, { plugin: 4, order })).id)

    const first = await api.get(`${CONFIGS}?limit=2`)
    const second = await api.get(`${CONFIGS}?limit=2&offset=2`)
    const past = await api.get(`${CONFIGS}?offset=50`)

    expect(first.body.next).toBe(api.address(`${CONFIGS}?limit=2&offset=2`))
    expect(second.body).toMatchObject({ next: null, previous: api.address(`${CONFIGS}?limit=2`) })
    expect([...idsOf(first.body), ...idsOf(second.body)]).toEqual(ids)
    expect(past.body).toMatchObject({ count: 3, next: null, results: [] })
  })

  it('are not found in another project', async () => {
    const api = await useApp()
    const theirs = api.path(CONFIGS, await api.createProject())
    const { id } = await createConfig(api, { plugin: 4 })

    expect((await api.get(theirs)).body).toMatchObject({ count: 0, results: [] })
    expect((await api.get(`${theirs}/${id}`)).status).toBe(404)
    expect((await api.patch(`${theirs}/${id}`, { order: 5 })).status).toBe(404)
    expect((await api.delete(`${theirs}/${id}`)).status).toBe(404)
    for (const part of ['activity', 'frontend', 'settings', 'runs']) {
      expect((await api.get(`${theirs}/${id}/${part}`)).status).toBe(404)
    }
    for (const part of ['job', 'migrate']) {
      expect((await api.post(`${theirs}/${id}/${part}`, {})).status).toBe(404)
    }
    expect((await api.patch(`${theirs}/${id}/settings`, { settings: {} })).status).toBe(404)
    expect((await api.get(`${CONFIGS}/${id}`)).body.order).toBe(0)
  })

  it('are served under environments too, and with a trailing slash', async () => {
    const api = await useApp()
    const environments = `/api/environments/@current/${CONFIGS}`

    const { status, body } = await api.post(`${environments}/`, { plugin: 4 })

    expect(status).toBe(201)
    expect((await api.get(`${environments}/${body.id}/`)).body.id).toBe(body.id)
    expect((await api.get(`${CONFIGS}/`)).body.count).toBe(1)
  })

  it.each(['2', '0', '-1', '1.0', 'x', '99999999999999999999'])(
    'are not found as %s',
    async (id) => {
      const api = await useApp()
      await api.post(CONFIGS, { plugin: 4 })

      expect((await api.get(`${CONFIGS}/${id}`)).body).toMatchObject({ detail: 'Not found.' })
      expect((await api.patch(`${CONFIGS}/${id}`, { order: 1 })).status).toBe(404)
      expect((await api.delete(`${CONFIGS}/${id}`)).status).toBe(404)
    },
  )

  it('require plugin:write to write', async () => {
    const api = await useApp()
    const { id } = await createConfig(api, { plugin: 4 })
    const reader = await api.as({ scopes: ['plugin:read'] })

    for (const path of ['', `/${id}/job`, `/${id}/migrate`]) {
      expect((await reader.post(`${CONFIGS}${path}`, { plugin: 4 })).status).toBe(403)
    }
    for (const path of [`/${id}`, `/${id}/settings`, '/rearrange']) {
      expect((await reader.patch(`${CONFIGS}${path}`, { settings: {} })).status).toBe(403)
    }
    expect((await reader.delete(`${CONFIGS}/${id}`)).status).toBe(403)
    expect((await reader.get(`${CONFIGS}/${id}`)).status).toBe(200)
  })
})
