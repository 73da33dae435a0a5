import { describe, expect, it } from 'vitest'
import { type Client, DASHBOARDS, startApp, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, insightTile, textTile } from '../../../../test/support/data/dashboards.ts'

const TEMPLATES = 'dashboard_templates'
const NO_SUCH = '0b0f3c0e-0000-4000-8000-000000000000'
const QUERY = {
  kind: 'InsightVizNode',
  source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode' }] },
}
const LAYOUTS = { sm: { x: 6, y: 3, w: 6, h: 5 } }
const INSIGHT = { type: 'INSIGHT', name: 'Visits', query: QUERY, layouts: LAYOUTS, color: 'blue' }
const TEXT = { type: 'TEXT', body: 'Hello' }
const OWN = { template_name: 'Own', tiles: [INSIGHT, TEXT] }

async function createTemplate(client: Client, body: unknown = OWN) {
  const response = await client.post(TEMPLATES, body)
  if (response.status !== 201) throw new Error(`The template was not created: ${response.text}`)
  return response.body
}

const pathOf = (id: string) => `${TEMPLATES}/${id}`

describe('a dashboard template', () => {
  it('is created and read back', async () => {
    const api = await useApp()
    const variable = {
      id: 'VARIABLE_1',
      name: 'Sign-up',
      type: 'event',
      default: { id: '$pageview' },
      description: 'What counts',
      required: true,
    }
    const sent = {
      ...OWN,
      dashboard_description: 'd',
      dashboard_filters: { date_from: '-7d' },
      tags: ['a'],
      variables: [variable],
      image_url: 'https://example.com/a.png',
    }

    const { status, body } = await api.post(TEMPLATES, sent)

    expect(status).toBe(201)
    expect(body).toMatchObject({ ...sent, deleted: false, team_id: api.projectId, scope: 'team' })
    expect(body.created_by.email).toBe('owner@example.com')
    expect((await api.get(pathOf(body.id))).body).toEqual(body)
  })

  it('requires a name and tiles, and has every field', async () => {
    const api = await useApp()

    const { id, created_at, created_by, ...others } = await createTemplate(api)

    expect(others).toEqual({
      ...OWN,
      dashboard_description: '',
      dashboard_filters: {},
      tags: [],
      variables: null,
      deleted: false,
      image_url: null,
      team_id: api.projectId,
      scope: 'team',
    })
  })

  it('creates dashboards by its name', async () => {
    const api = await useApp()
    const member = await api.as({})
    const more = { dashboard_description: 'd', dashboard_filters: { a: 1 }, tags: ['a'] }
    await createTemplate(api, { ...OWN, ...more, tiles: [...OWN.tiles, { type: 'BUTTON' }] })

    const { status, body } = await member.post(DASHBOARDS, { use_template: 'Own' })

    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'Own',
      description: 'd',
      filters: { a: 1 },
      tags: ['a'],
      creation_mode: 'template',
      use_template: 'Own',
    })
    const [visits, text, ...none] = body.tiles
    expect(visits).toMatchObject({ color: 'blue', layouts: LAYOUTS, insight: { query: QUERY } })
    expect(visits.insight).toMatchObject({ name: 'Visits', description: '', is_sample: true })
    expect(text).toMatchObject({ insight: null, text: { body: 'Hello' }, layouts: {} })
    expect(none).toEqual([])
  })

  it('is created from a dashboard, and creates an equal one', async () => {
    const api = await useApp()
    const source = await createDashboard(api, {
      name: 'Sales',
      description: 'd',
      filters: { a: 1 },
      tags: ['a'],
      tiles: [insightTile('Visits', 0, 1), { ...textTile('Hello', 6, 1), color: 'red' }],
    })

    const made = await createTemplate(api, { template_name: 'Own', from_dashboard: source.id })

    expect(made).toMatchObject({
      template_name: 'Own',
      dashboard_description: 'd',
      dashboard_filters: { a: 1 },
      tags: ['a'],
      tiles: [{ type: 'INSIGHT', name: 'Visits' }, { type: 'TEXT' }],
    })
    const { tiles } = await createDashboard(api, { use_template: 'Own' })
    for (const [index, { layouts, color, insight, text }] of tiles.entries()) {
      const original = source.tiles[index]
      expect({ layouts, color }).toEqual({ layouts: original.layouts, color: original.color })
      expect(insight?.query).toEqual(original.insight?.query)
      expect(text?.body).toBe(original.text?.body)
    }
    expect(tiles[0].insight.id).not.toBe(source.tiles[0].insight.id)
  })

  it('lets fields in the body override the dashboard', async () => {
    const api = await useApp()
    const tiles = [textTile('Hello')]
    const { id } = await createDashboard(api, {
      name: 'Sales',
      description: 'd',
      tags: ['a'],
      tiles,
    })

    const named = await createTemplate(api, { from_dashboard: id })
    const sent = { template_name: 'Own', dashboard_description: '', tags: [] }
    const own = await createTemplate(api, { from_dashboard: id, ...sent })

    expect(named).toMatchObject({ template_name: 'Sales', dashboard_description: 'd', tags: ['a'] })
    expect(own).toMatchObject(sent)
  })

  it.each([
    [{}, 'template_name', 'blank'],
    [{ template_name: '  ', tiles: [TEXT] }, 'template_name', 'blank'],
    [{ template_name: 'x'.repeat(401), tiles: [TEXT] }, 'template_name', 'max_length'],
    [{ template_name: 'x' }, 'tiles', 'invalid_input'],
    [{ template_name: 'x', tiles: [] }, 'tiles', 'invalid_input'],
    [{ template_name: 'x', tiles: ['x'] }, 'tiles__0', 'not_a_dict'],
    [{ template_name: 'x', tiles: [{ type: 'TEXT', body: 7 }] }, 'tiles__0__body', 'invalid_input'],
    [
      { template_name: 'x', tiles: [TEXT, { type: 'INSIGHT', query: { a: 1 } }] },
      'tiles__1__query__kind',
      'required',
    ],
    [{ template_name: 'x', from_dashboard: 987654 }, 'from_dashboard', 'does_not_exist'],
    [{ template_name: 'Own', tiles: [TEXT] }, 'template_name', 'invalid_input'],
    [{ template_name: 'DEFAULT_APP', tiles: [TEXT] }, 'template_name', 'invalid_input'],
    [{ template_name: 'Web overview', tiles: [TEXT] }, 'template_name', 'invalid_input'],
  ])('rejects %j', async (sent, attr, code) => {
    const api = await useApp()
    await createTemplate(api)

    expect(await api.post(TEMPLATES, sent)).toMatchObject({ status: 400, body: { attr, code } })
    expect((await api.get(`${TEMPLATES}?scope=team`)).body.count).toBe(1)
  })

  it('is not created from a trashed or empty dashboard, or from two sources', async () => {
    const api = await useApp()
    const trashed = await createDashboard(api, { deleted: true, tiles: [textTile('Hello')] })
    const empty = await createDashboard(api)
    const create = (sent: object) => api.post(TEMPLATES, { template_name: 'x', ...sent })

    expect(await create({ from_dashboard: trashed.id })).toMatchObject({
      status: 400,
      body: { attr: 'from_dashboard', code: 'does_not_exist' },
    })
    expect(await create({ from_dashboard: empty.id })).toMatchObject({
      status: 400,
      body: { attr: 'tiles', code: 'invalid_input' },
    })
    expect(await create({ from_dashboard: empty.id, tiles: [TEXT] })).toMatchObject({
      status: 400,
      body: { attr: null, code: 'invalid_input' },
    })
    expect((await api.get(`${TEMPLATES}?scope=team`)).body.count).toBe(0)
  })

  it('changes only the fields sent', async () => {
    const api = await useApp()
    const before = await createTemplate(api, { ...OWN, tags: ['a'], image_url: 'x' })

    const { status, body } = await api.patch(pathOf(before.id), {
      template_name: 'Other',
      image_url: null,
      tiles: [TEXT],
    })

    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      template_name: 'Other',
      image_url: null,
      tiles: [TEXT],
    })
    expect((await api.post(DASHBOARDS, { use_template: 'Own' })).status).toBe(400)
    expect((await api.post(DASHBOARDS, { use_template: 'Other' })).status).toBe(201)
  })

  it('is trashed, and restored if its name is still free', async () => {
    const api = await useApp()
    const first = await createTemplate(api)

    const { body } = await api.patch(pathOf(first.id), { deleted: true })

    expect(body).toEqual({ ...first, deleted: true })
    expect((await api.get(`${TEMPLATES}?scope=team`)).body.count).toBe(0)
    expect((await api.get(`${TEMPLATES}?deleted=true`)).body.results).toEqual([body])
    expect((await api.post(DASHBOARDS, { use_template: 'Own' })).status).toBe(400)

    const second = await createTemplate(api)
    expect((await api.patch(pathOf(first.id), { deleted: false })).body.attr).toBe('template_name')
    expect((await api.patch(pathOf(first.id), { deleted: true })).status).toBe(200)
    await api.patch(pathOf(second.id), { template_name: 'Second' })
    expect((await api.patch(pathOf(first.id), { deleted: false })).body).toEqual(first)
  })

  it('rejects a patch without tiles, or with the name of another', async () => {
    const api = await useApp()
    const before = await createTemplate(api)
    await createTemplate(api, { ...OWN, template_name: 'Taken' })

    for (const wrong of [{ tiles: [] }, { template_name: 'Taken' }, { template_name: '' }]) {
      const { status } = await api.patch(pathOf(before.id), { tags: ['x'], ...wrong })
      expect(status, JSON.stringify(wrong)).toBe(400)
    }
    expect((await api.get(pathOf(before.id))).body).toEqual(before)
  })

  it('is not deleted by DELETE', async () => {
    const api = await useApp()
    const { id } = await createTemplate(api)

    for (const name of [id, NO_SUCH, 'x']) {
      expect(await api.delete(pathOf(name))).toMatchObject({ status: 405, text: '' })
    }
    expect((await api.get(pathOf(id))).body.deleted).toBe(false)
  })

  it.each([NO_SUCH, 'x', '1', '%00'])('is not found as %s', async (id) => {
    const api = await useApp()

    expect((await api.get(pathOf(id))).status).toBe(404)
    expect((await api.patch(pathOf(id), { tags: [] })).status).toBe(404)
  })

  it('belongs to its project', async () => {
    const api = await useApp()
    const { id } = await createTemplate(api)
    const other = `/api/projects/${await api.createProject()}`

    expect((await api.get(`${other}/dashboard_templates?scope=team`)).body.count).toBe(0)
    expect((await api.get(`${other}/dashboard_templates/${id}`)).status).toBe(404)
    expect((await api.post(`${other}/dashboards`, { use_template: 'Own' })).status).toBe(400)
    expect((await api.post(`${other}/dashboard_templates`, OWN)).status).toBe(201)
  })

  it('is written by admins and read by all members', async () => {
    const api = await useApp()
    const [admin, member] = [await api.as({ level: 8 }), await api.as({})]
    const { id } = await createTemplate(admin)

    expect((await member.get(pathOf(id))).status).toBe(200)
    expect((await member.post(TEMPLATES, { ...OWN, template_name: 'x' })).status).toBe(403)
    expect((await member.patch(pathOf(id), { deleted: true })).status).toBe(403)
    expect((await admin.patch(pathOf(id), { deleted: true })).status).toBe(200)
  })

  it('does not read dashboards for a key without dashboard:read', async () => {
    const api = await useApp(['dashboard_template:write', 'query:read'])
    const owner = await api.as({ level: 15 })
    const { id } = await createDashboard(owner, { name: 'Secret', tiles: [textTile('Hello')] })

    const { status, body } = await api.post(TEMPLATES, { from_dashboard: id })

    expect(status).toBe(403)
    expect(body.detail).toBe("API key missing required scope 'dashboard:read'")
    expect((await api.post(TEMPLATES, OWN)).status).toBe(201)
  })

  it("is logged in the project's activity", async () => {
    const api = await startApp()
    const { id } = await createTemplate(api)
    await api.patch(pathOf(id), { tags: ['a'] })
    await api.patch(pathOf(id), { tags: ['a'] })
    await api.patch(pathOf(id), { deleted: true })

    const log = api.db.selectFrom('activity').select('activity').where('scope', '=', 'Project')

    const logged = (await log.orderBy('id').execute()).map(({ activity }) => activity)
    expect(logged).toEqual(['template created', 'template updated', 'template deleted'])
  })
})
