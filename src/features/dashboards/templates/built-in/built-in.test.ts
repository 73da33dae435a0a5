import { describe, expect, it } from 'vitest'
import { readManifests } from '#server/features/import-apps/plugins/built-in.ts'
import { requireQuery } from '#server/features/results/check/check-query.ts'
import { eventsBetween } from '../../../../../apps/demo-data/events.ts'
import { createWorld, DAYS } from '../../../../../apps/demo-data/world.ts'
import { readManifest, startService } from '../../../../../test/apps/run-service.ts'
import { SERVICES } from '../../../../../test/apps/services.ts'
import { DASHBOARDS, useApp } from '../../../../../test/support/app/app.ts'
import { createDashboard } from '../../../../../test/support/data/dashboards.ts'
import type { Template, TemplateInsight, TemplateTile } from '../template.ts'
import { BUILT_IN } from './built-in.ts'

const TEMPLATES = 'dashboard_templates'

const insightsOf = ({ tiles }: Template) =>
  tiles.filter((tile): tile is TemplateInsight => tile.type === 'INSIGHT')

const nameOf = (tile: TemplateTile): string => (tile.type === 'TEXT' ? tile.body : tile.name)

const NAMED = BUILT_IN.map(({ template }) => [template.name, template] as const)

/** The templates whose tiles the HTTP interface fixes. */
const UPSTREAM = ['Product analytics', 'Website traffic']

/** Every text under one of the keys, at any depth. */
function textsUnder(keys: readonly string[], value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(keys.includes(key) && typeof inner === 'string' ? [inner] : []),
    ...textsUnder(keys, inner),
  ])
}

function demoEvents() {
  const world = createWorld('a', 20_000, 20_400)
  return Array.from({ length: DAYS }, (_, day) => [
    ...eventsBetween(world, day, 0, Number.POSITIVE_INFINITY),
  ]).flat()
}

/** Finds events of the app whose plugin.json names the template, by default those of Demo data. */
async function findEvents(template: string) {
  for (const service of SERVICES) {
    if ((await readManifest(service)).template !== template) continue
    const fake = startService(service)
    await fake.run()
    return fake.events()
  }
  const manifests = [...(await readManifests()).values()]
  const manifest = manifests.find((app) => app.template === template)
  const usual = manifest?.config.find(({ key }) => key === 'event')?.default
  return typeof usual === 'string' ? [{ event: usual, properties: {} }] : demoEvents()
}

describe('a built-in template', () => {
  it.each(NAMED)('%s has queries that an insight accepts', (_, template) => {
    for (const { query, name } of insightsOf(template)) {
      expect(() => requireQuery(query), name).not.toThrow()
      expect(query).toMatchObject({ source: { kind: expect.stringMatching(/Query$/) } })
    }
  })

  it.each(NAMED)('%s positions each tile, on a desktop and on a phone', (_, template) => {
    for (const screen of ['sm', 'xs'] as const) {
      const taken = new Set<string>()
      for (const tile of template.tiles) {
        const name = nameOf(tile)
        const { layouts } = tile
        const { x, y, w, h } = (layouts as Record<string, Record<string, number>>)[screen] as {
          [key in 'x' | 'y' | 'w' | 'h']: number
        }
        expect(x + w, name).toBeLessThanOrEqual(screen === 'sm' ? 12 : 1)
        for (let cell = 0; cell < w * h; cell += 1) {
          const place = `${x + (cell % w)} ${y + Math.floor(cell / w)}`
          expect(taken, `${name} on ${screen}`).not.toContain(place)
          taken.add(place)
        }
      }
    }
  })

  it.each(NAMED.filter(([name]) => !UPSTREAM.includes(name)))(
    '%s begins with four figures, compared with the previous period',
    (_, template) => {
      const tiles = insightsOf(template)

      for (const { layouts, query } of tiles.slice(0, 4)) {
        expect(layouts).toMatchObject({ sm: { y: 0, w: 3, h: 2 }, xs: { h: 2 } })
        expect(query).toMatchObject({
          source: { compareFilter: { compare: true }, trendsFilter: { display: 'BoldNumber' } },
        })
      }
      for (const { color, name } of tiles) expect(color, name).toBeNull()
    },
  )

  it.each(NAMED)('%s queries events of the Demo data app or its own', async (name, template) => {
    const events = await findEvents(name)
    const names = new Set(events.map(({ event }) => event))
    const queries = insightsOf(template).map(({ query }) => query)
    const queried = textsUnder(['event', 'id'], queries)
    const properties = textsUnder(['breakdown', 'math_property', 'key'], queries)

    expect(queried.filter((event) => !names.has(event))).toEqual([])
    for (const property of properties) {
      const known = events.filter(({ properties: values }) => property in (values ?? {}))
      expect(known.length, property).toBeGreaterThan(0)
    }
  })

  it.each(NAMED)('%s creates a dashboard with its name', async (name, template) => {
    const api = await useApp()

    const body = await createDashboard(api, { use_template: name })

    const { description, tags, filters, tiles } = template
    expect(body).toMatchObject({ name, description, tags, filters, use_template: name })
    expect(body.tiles).toHaveLength(tiles.length)
    for (const { insight, text, section, layouts, color } of body.tiles) {
      const expected = template.tiles.find((tile) => nameOf(tile) === (insight?.name ?? text.body))
      const content = insight ? { query: insight.query } : { section }
      expect(expected).toMatchObject({ ...content, layouts, color })
    }
  })

  it('Web overview has sections, whose tiles are shown at first', async () => {
    const api = await useApp()

    const { tiles } = await createDashboard(api, { use_template: 'Web overview' })

    const titles = tiles.filter(({ section }: { section: string | null }) => section !== null)
    expect(titles).toMatchObject([
      { section: 'open', text: { body: 'Pages and sources' } },
      { section: 'open', text: { body: 'Audience' } },
      { section: 'open', text: { body: 'Paths' } },
    ])
  })

  it('has no owner and cannot be changed', async () => {
    const api = await useApp()
    const { results } = (await api.get(`${TEMPLATES}?scope=global`)).body

    for (const template of results) {
      expect(template).toMatchObject({ team_id: null, created_by: null, scope: 'global' })
      const { status, body } = await api.patch(`${TEMPLATES}/${template.id}`, { deleted: true })
      expect([status, body.detail]).toEqual([403, 'Built-in templates cannot be changed.'])
    }
    expect((await api.get(`${TEMPLATES}?scope=global`)).body.results).toEqual(results)
  })

  it('can be read, edited and sent as a dashboard', async () => {
    const api = await useApp()
    const { results } = (await api.get(TEMPLATES)).body

    for (const sent of results) {
      const template = { ...sent, template_name: 'Mine' }
      const { status, body } = await api.post(`${DASHBOARDS}/create_from_template_json`, {
        template,
      })
      expect(status, sent.template_name).toBe(200)
      expect(body.tiles).toHaveLength(sent.tiles.length)
    }
  })
})
