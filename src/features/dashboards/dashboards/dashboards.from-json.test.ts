import { describe, expect, it } from 'vitest'
import { DASHBOARDS, startApp, useApp } from '../../../../test/support/app/app.ts'
import { pathOf } from '../../../../test/support/data/dashboards.ts'

const FROM_JSON = `${DASHBOARDS}/create_from_template_json`
const QUERY = {
  kind: 'InsightVizNode',
  source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode' }] },
}
const TEMPLATE = {
  template_name: 'Sales',
  dashboard_description: 'What is sold',
  dashboard_filters: { date_from: '-7d' },
  tags: ['a', ' a '],
  tiles: [
    { type: 'TEXT', body: 'Hello', layouts: { sm: { x: 0, y: 1, w: 6, h: 5 } }, color: 'red' },
    { type: 'INSIGHT', name: 'Visits', query: QUERY, layouts: { sm: { x: 0, y: 0, w: 6, h: 1 } } },
    { type: 'WIDGET', anything: true },
  ],
}
const { template_name, dashboard_description, dashboard_filters, tiles } = TEMPLATE

describe('a dashboard from the JSON of a template', () => {
  it('is created with the name of the template', async () => {
    const api = await useApp()

    const { status, body } = await api.post(FROM_JSON, { template: TEMPLATE })

    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'Sales',
      description: 'What is sold',
      filters: { date_from: '-7d' },
      tags: ['a'],
      creation_mode: 'default',
      use_template: '',
      restriction_level: 21,
      is_shared: false,
      created_by: { email: 'owner@example.com' },
    })
    expect(body.tiles).toMatchObject([
      { insight: { name: 'Visits', query: QUERY, is_sample: true }, text: null },
      { insight: null, text: { body: 'Hello' }, color: 'red' },
    ])
    expect(body.tiles).toHaveLength(2)
    expect((await api.get(pathOf(body.id))).body.tiles).toHaveLength(2)
  })

  it('is logged, listed, shared and edited like any other', async () => {
    const api = await useApp()
    const { id } = (await api.post(FROM_JSON, { template: TEMPLATE })).body

    expect((await api.get(pathOf(id, '/activity'))).body.results).toMatchObject([
      { activity: 'created', detail: { name: 'Sales' } },
    ])
    expect((await api.get(DASHBOARDS)).body.count).toBe(1)
    expect((await api.patch(pathOf(id, '/sharing'), { enabled: true })).status).toBe(200)
    expect((await api.patch(pathOf(id), { name: 'Costs' })).status).toBe(200)
  })

  it.each([
    [{ dashboard_description, dashboard_filters, tiles }, "'template_name' is a required property"],
    [{ template_name, dashboard_description, dashboard_filters }, "'tiles' is a required property"],
    [{}, "'template_name' is a required property"],
    [{ ...TEMPLATE, template_name: 7 }, "7 is not of type 'string'"],
    [{ ...TEMPLATE, dashboard_filters: [] }, "[] is not of type 'object'"],
    [{ ...TEMPLATE, tiles: [] }, '[] should be non-empty'],
    [{ ...TEMPLATE, tiles: ['x'] }, '"x" is not of type \'object\''],
    [{ ...TEMPLATE, tags: [7] }, "7 is not of type 'string'"],
    [{ ...TEMPLATE, template_name: 'x'.repeat(401) }, / is too long$/],
    [{ ...TEMPLATE, tiles: [{ type: 'TEXT', body: 'x'.repeat(4001) }] }, / is too long$/],
  ])('rejects %j', async (template, detail) => {
    const api = await useApp()

    const { status, body } = await api.post(FROM_JSON, { template })

    expect(status).toBe(400)
    expect(body).toEqual({
      type: 'validation_error',
      code: 'invalid_input',
      attr: null,
      detail: typeof detail === 'string' ? detail : expect.stringMatching(detail),
    })
    expect((await api.get(DASHBOARDS)).body.count).toBe(0)
  })

  it('rejects a query without a kind, and an empty body', async () => {
    const api = await startApp()
    const wrong = { ...TEMPLATE, tiles: [{ type: 'INSIGHT', query: { a: 1 } }] }

    expect(await api.post(FROM_JSON, { template: wrong })).toMatchObject({
      status: 400,
      body: { code: 'required' },
    })
    expect(await api.post(FROM_JSON, {})).toMatchObject({
      status: 400,
      body: { attr: 'template', code: 'required' },
    })
    expect(await api.db.selectFrom('insights').selectAll().execute()).toEqual([])
  })

  it('accepts templates that match the published schema', async () => {
    const api = await useApp()

    const { status, body, headers } = await api.get('dashboard_templates/json_schema')

    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('max-age=120')
    expect(body).toMatchObject({
      type: 'object',
      required: ['template_name', 'dashboard_description', 'dashboard_filters', 'tiles'],
    })
  })
})
