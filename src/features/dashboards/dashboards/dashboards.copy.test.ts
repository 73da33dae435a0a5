import { describe, expect, it } from 'vitest'
import { DASHBOARDS, useApp } from '../../../../test/support/app/app.ts'
import {
  createDashboard,
  insightTile,
  pathOf,
  readAll,
  textTile,
} from '../../../../test/support/data/dashboards.ts'

const SOURCE = {
  name: 'Source',
  description: 'Of copies',
  pinned: true,
  tags: ['a'],
  restriction_level: 37,
  filters: { date_from: '-7d' },
  variables: { one: { value: 1 } },
  tiles: [
    { ...textTile('Hello'), color: 'blue' },
    {
      ...insightTile('Visits', 6),
      color: 'green',
      filters_overrides: { date_from: '-30d', value_filter: false },
    },
    insightTile('', 0, 5),
  ],
}

interface Tile {
  readonly id: number
  readonly layouts: unknown
  readonly color: string | null
  readonly filters_overrides: object
  readonly insight: { id: number; name: string; short_id: string; query: unknown } | null
  readonly text: { id: number; body: string } | null
}

const idsOf = (tiles: Tile[]) => tiles.map(({ insight, text }) => [insight?.id, text?.id])

describe('a copy of a dashboard', () => {
  it('has its own tiles, which show the same insights and texts', async () => {
    const api = await useApp()
    const source = await createDashboard(api, SOURCE)

    const { status, body } = await api.post(DASHBOARDS, { use_dashboard: source.id })

    const shown = ({ id: _, ...tile }: Tile) => tile
    const ids = [...source.tiles, ...body.tiles].map(({ id }: Tile) => id)
    expect(status).toBe(201)
    expect(body.tiles.map(shown)).toEqual(source.tiles.map(shown))
    expect(new Set(ids).size).toBe(6)
    expect((await api.get(pathOf(source.id))).body).toEqual(source)
  })

  it('copies filters and variables, and nothing else', async () => {
    const api = await useApp()
    const member = await api.as({})
    const { id } = await createDashboard(api, SOURCE)
    await api.post(pathOf(id, '/collaborators'), { user_uuid: member.uuid, level: 37 })
    await api.patch(pathOf(id, '/sharing'), { enabled: true })

    const copy = await createDashboard(member, { use_dashboard: id })

    expect(copy).toMatchObject({
      name: '',
      description: '',
      pinned: false,
      tags: [],
      restriction_level: 21,
      is_shared: false,
      created_by: { uuid: member.uuid },
      use_template: '',
      creation_mode: 'duplicate',
      use_dashboard: id,
      filters: SOURCE.filters,
      variables: SOURCE.variables,
    })
    expect((await api.get(pathOf(copy.id, '/collaborators'))).body).toEqual([])
    const tokens = [id, copy.id].map(async (one) => (await api.get(pathOf(one, '/sharing'))).body)
    const [ofSource, ofCopy] = await Promise.all(tokens)
    expect(ofCopy).toMatchObject({ enabled: false })
    expect(ofCopy.access_token).not.toBe(ofSource.access_token)
  })

  it('lets fields in the body override the source', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, SOURCE)
    const sent = { name: 'Copy', tags: ['b'], filters: {}, variables: {} }

    const { body } = await api.post(DASHBOARDS, {
      ...sent,
      use_dashboard: id,
      use_template: '',
      tiles: [textTile('More', 0, 9)],
    })

    expect(body).toMatchObject(sent)
    const shown = body.tiles.map(({ text, insight }: Tile) => text?.body ?? insight?.name)
    expect(shown).toEqual(['Hello', 'Visits', '', 'More'])
  })

  it('shows a text that was edited on the original', async () => {
    const api = await useApp()
    const source = await createDashboard(api, SOURCE)
    const copy = await createDashboard(api, { use_dashboard: source.id })
    const read = () => Promise.all([api.get(pathOf(source.id)), api.get(pathOf(copy.id))])
    await read() // fills the cache

    await api.patch(pathOf(copy.id), { tiles: [{ id: copy.tiles[0].id, text: { body: 'Bye' } }] })

    const texts = (await read()).map(({ body }) => body.tiles[0].text)
    expect(texts[0]).toEqual(texts[1])
    expect(texts[0].body).toBe('Bye')
  })

  it('keeps its tiles when the source loses some, and does not copy deleted ones', async () => {
    const api = await useApp()
    const source = await createDashboard(api, SOURCE)
    const removed = source.tiles.map(({ id }: Tile) => ({ id, deleted: true }))
    await api.patch(pathOf(source.id), { tiles: removed.slice(0, 1) })

    const copy = await createDashboard(api, { use_dashboard: source.id })

    expect(idsOf(copy.tiles)).toEqual(idsOf(source.tiles.slice(1)))
    await api.patch(pathOf(source.id), { tiles: removed })
    expect((await api.get(pathOf(copy.id))).body).toEqual(copy)
  })

  it('has its own insights and texts with duplicate_tiles', async () => {
    const api = await useApp()
    const member = await api.as({})
    const source = await createDashboard(api, SOURCE)

    const copy = await createDashboard(member, { use_dashboard: source.id, duplicate_tiles: true })

    const [text, insight, unnamed] = copy.tiles
    const look = ({ layouts, color, filters_overrides }: Tile) => [
      layouts,
      color,
      filters_overrides,
    ]
    expect(copy.tiles.map(look)).toEqual(source.tiles.map(look))
    expect(text.text).toMatchObject({ body: 'Hello', created_by: { uuid: member.uuid } })
    expect(insight.insight).toMatchObject({ name: 'Visits (Copy)', query: { kind: 'TrendsQuery' } })
    expect(unnamed.insight.name).toBe('')
    for (const [index, ids] of idsOf(copy.tiles).entries()) {
      expect(ids).not.toEqual(idsOf(source.tiles)[index])
    }
    await member.patch(pathOf(copy.id), { tiles: [{ id: text.id, text: { body: 'Bye' } }] })
    expect((await api.get(pathOf(source.id))).body).toEqual(source)
  })

  it.each(['x'.repeat(400), `x${'📈'.repeat(399)}`])(
    'shortens long insight names between characters',
    async (name) => {
      const api = await useApp()
      const { id } = await createDashboard(api, { tiles: [insightTile(name)] })

      const copy = await createDashboard(api, { use_dashboard: id, duplicate_tiles: true })

      const copied = copy.tiles[0].insight.name
      expect(copied.endsWith(' (Copy)')).toBe(true)
      expect([copied.isWellFormed(), [...copied].length]).toEqual([true, 400])
      expect((await api.patch(pathOf(copy.id), copy)).status).toBe(200)
    },
  )

  it.each<['unknown' | 'trashed' | 'foreign', object]>([
    ['unknown', {}],
    ['trashed', {}],
    ['foreign', {}],
    ['unknown', { duplicate_tiles: true }],
  ])('rejects a source that is %s, with %j, and creates nothing', async (which, more) => {
    const api = await useApp()
    await createDashboard(api, SOURCE)
    const trashed = await createDashboard(api, { ...SOURCE, deleted: true })
    const there = api.path(DASHBOARDS, await api.createProject())
    const { body: foreign } = await api.post(there, SOURCE)
    const { id: use_dashboard } = { unknown: { id: 404 }, trashed, foreign }[which]
    const before = await readAll(api)

    const { status, body } = await api.post(DASHBOARDS, { name: 'x', use_dashboard, ...more })

    expect(status).toBe(400)
    expect(body).toEqual({
      type: 'validation_error',
      code: 'invalid_input',
      attr: 'use_dashboard',
      detail: 'Invalid value provided',
    })
    expect(await readAll(api)).toEqual(before)
  })

  it('rejects a template in addition', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, SOURCE)

    const response = await api.post(DASHBOARDS, { use_dashboard: id, use_template: 'DEFAULT_APP' })

    expect(response).toMatchObject({
      status: 400,
      body: {
        type: 'validation_error',
        code: 'invalid_input',
        attr: null,
        detail: '`use_dashboard` and `use_template` cannot be used together',
      },
    })
    expect((await api.get(DASHBOARDS)).body.count).toBe(1)
  })

  it('can be copied by a member who can only view it', async () => {
    const api = await useApp()
    const member = await api.as({})
    const source = await createDashboard(api, SOURCE)
    const first = await createDashboard(member, { use_dashboard: source.id })

    const second = await createDashboard(api, { use_dashboard: first.id })

    expect(idsOf(second.tiles)).toEqual(idsOf(source.tiles))
    expect(second.use_dashboard).toBe(first.id)
  })
})
