import { expect, it } from 'vitest'
import { DASHBOARDS, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, insightTile, textTile } from '../../../../test/support/data/dashboards.ts'

const TEMPLATES = 'dashboard_templates'
const FROM_JSON = `${DASHBOARDS}/create_from_template_json`

const OVERRIDES = { date_from: '-7d', value_filter: false }
const TILES = [
  { ...insightTile('Visits', 0, 1), filters_overrides: OVERRIDES, show_description: true },
  { ...textTile('Hello', 6, 1), show_description: false },
  insightTile('Plain', 0, 9),
]

it("a template keeps a tile's own filters, and whether it shows its description", async () => {
  const api = await useApp()
  const { id } = await createDashboard(api, { tiles: TILES })

  const { body } = await api.post(TEMPLATES, { template_name: 'Own', from_dashboard: id })

  expect(body.tiles[2]).not.toHaveProperty('filters_overrides')
  const { template_name, dashboard_description, dashboard_filters, tiles } = body
  const template = { template_name, dashboard_description, dashboard_filters, tiles }
  for (const created of [
    await createDashboard(api, { use_template: 'Own' }),
    (await api.post(FROM_JSON, { template })).body,
  ]) {
    expect(created.tiles).toMatchObject([
      { filters_overrides: OVERRIDES, show_description: true },
      { filters_overrides: {}, show_description: false },
      { filters_overrides: {}, show_description: null },
    ])
  }
})

it.each([
  ['show_description', 'yes'],
  ['filters_overrides', 'last week'],
])('a template refuses %s as %j in a tile', async (field, value) => {
  const api = await useApp()
  const tiles = [{ type: 'TEXT', body: 'Hello', [field]: value }]

  expect(await api.post(TEMPLATES, { template_name: 'Own', tiles })).toMatchObject({
    status: 400,
    body: { attr: `tiles__0__${field}` },
  })
})
