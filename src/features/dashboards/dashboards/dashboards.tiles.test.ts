import { describe, expect, it } from 'vitest'
import { DASHBOARDS, startApp, useApp } from '../../../../test/support/app/app.ts'
import {
  createDashboard,
  insightTile,
  pathOf,
  readAll,
  textTile,
} from '../../../../test/support/data/dashboards.ts'

/** The contents of the tiles, in the order of the response. */
const shownOn = ({ tiles }: { tiles: { text: { body: string }; insight: { name: string } }[] }) =>
  tiles.map(({ text, insight }) => (text ? text.body : insight.name))

describe('the tiles of a dashboard', () => {
  it('are created with it, as texts and insights', async () => {
    const api = await startApp()

    const { tiles } = await createDashboard(api, {
      tiles: [{ ...textTile('# Hello'), color: 'blue' }, insightTile('Visits', 6)],
    })

    const [text, insight] = tiles
    const owner = expect.objectContaining({ email: 'owner@example.com' })
    expect(text).toEqual({
      id: 1,
      layouts: { sm: { x: 0, y: 0, w: 6, h: 5 } },
      color: 'blue',
      section: null,
      show_description: null,
      insight: null,
      order: 0,
      last_refresh: null,
      is_cached: false,
      filters_overrides: {},
      filters_not_applied: [],
      text: {
        id: 1,
        body: '# Hello',
        created_by: owner,
        team: 1,
        last_modified_at: expect.any(String),
        last_modified_by: null,
      },
    })
    expect(insight).toMatchObject({ id: 2, color: null, order: 1, text: null })
    expect(insight.insight).toMatchObject({
      id: 1,
      name: 'Visits',
      description: '',
      query: { kind: 'TrendsQuery' },
      tags: [],
      is_sample: false,
      deleted: false,
      created_by: owner,
      result: null,
    })
    expect(insight.insight.short_id).toMatch(/^\w{8}$/)
  })

  it('are added by a patch, and unlisted ones stay', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, { tiles: [textTile('one')] })

    const { body } = await api.patch(pathOf(id), {
      tiles: [textTile('two', 0, 5), insightTile('three', 0, 10)],
    })

    expect(shownOn(body)).toEqual(['one', 'two', 'three'])
    expect((await api.get(pathOf(id))).body).toEqual(body)
  })

  it('keep the dates and filters that they are added with', { tags: 'sql' }, async () => {
    const api = await useApp()
    const filters_overrides = { date_from: '-30d', value_filter: false, properties: [] }
    const created = { ...insightTile('Visits'), filters_overrides }
    const [{ insight }] = (await createDashboard(api, { tiles: [created] })).tiles

    const { id } = await createDashboard(api, {})
    const linked = { insight: { id: insight.id }, filters_overrides }
    await api.patch(pathOf(id), { tiles: [linked, created] })

    const { tiles } = (await api.get(pathOf(id))).body
    expect(tiles).toMatchObject([{ filters_overrides }, { filters_overrides }])
  })

  it('get defaults for missing fields', async () => {
    const api = await useApp()

    const { tiles } = await createDashboard(api, {
      tiles: [{ text: {} }, { text: { body: null } }, { insight: {} }, { insight: { name: null } }],
    })

    expect(shownOn({ tiles })).toEqual(['', '', '', ''])
    expect(tiles[2]).toMatchObject({ layouts: {}, insight: { description: '', query: {} } })
  })

  it.each([
    [{ color: 'green' }, { color: 'green' }],
    [{ color: null }, { color: null }],
    [{ layouts: { sm: { x: '3', odd: [1] }, lg: null } }, undefined],
    [{ layouts: {} }, undefined],
    [{ text: { body: 'Bye' } }, { text: { body: 'Bye' } }],
    [{ text: { body: null } }, { text: { body: '' } }],
    [
      { text: {}, insight: null, order: 7, is_cached: true },
      { order: 0, is_cached: false },
    ],
  ])('change only by %j', async (patch, expected) => {
    const api = await useApp()
    const tile = { ...textTile('Hello'), color: 'blue' }
    const { id, tiles } = await createDashboard(api, { tiles: [tile, textTile('Other', 6)] })

    const { body } = await api.patch(pathOf(id), { tiles: [{ id: tiles[0].id, ...patch }] })

    const changed = body.tiles.find((one: { id: number }) => one.id === tiles[0].id)
    expect(changed).toMatchObject({
      color: 'blue',
      text: { body: 'Hello' },
      ...(expected ?? patch),
    })
    expect(shownOn(body)).toContain('Other')
    expect((await api.get(pathOf(id))).body).toEqual(body)
  })

  it('are deleted and restored', async () => {
    const api = await useApp()
    const before = await createDashboard(api, { tiles: [textTile('one'), insightTile('two', 6)] })
    const all = (deleted: boolean) =>
      before.tiles.map(({ id }: { id: number }) => ({ id, deleted }))

    const { body } = await api.patch(pathOf(before.id), { tiles: all(true) })

    expect(body).toEqual({ ...before, tiles: [] })
    expect((await api.patch(pathOf(before.id), { tiles: all(true) })).body).toEqual(body)
    expect((await api.patch(pathOf(before.id), { tiles: all(false) })).body).toEqual(before)
  })

  it('name who modified a text, and when', async () => {
    const api = await useApp()
    const { id, tiles } = await createDashboard(api, { tiles: [textTile('one')] })
    const member = await api.as({})

    const { body } = await member.patch(pathOf(id), {
      tiles: [{ text: { id: tiles[0].text.id, body: 'two' } }],
    })

    const { text } = body.tiles[0]
    expect(shownOn(body)).toEqual(['two'])
    expect(text.created_by).toEqual(tiles[0].text.created_by)
    expect(text.last_modified_by.uuid).toBe(member.uuid)
    expect(text.last_modified_at > tiles[0].text.last_modified_at).toBe(true)
  })

  it('are sorted from top to bottom and left to right, even with invalid layouts', async () => {
    const api = await useApp()
    const places = {
      last: {},
      'also last': { sm: { x: { valueOf: 1, toString: 1 }, y: [0] } },
      'still last': { sm: 'here' },
      'right of it': { sm: { x: '6', y: 2 } },
      low: { sm: { x: 0, y: '3' } },
      left: { sm: { x: -1, y: 2 } },
      top: { sm: { x: 9, y: 0 }, xs: { x: 0, y: 99 } },
    }
    const tiles = Object.entries(places).map(([body, layouts]) => ({ text: { body }, layouts }))

    const made = await createDashboard(api, { tiles })

    const order = ['top', 'left', 'right of it', 'low', 'last', 'also last', 'still last']
    expect(shownOn(made)).toEqual(order)
    expect(made.tiles.map((tile: { order: number }) => tile.order)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(made.tiles[5].layouts).toEqual(places['also last'])
  })

  it('reject an insight of another project', async () => {
    const api = await useApp()
    const { tiles } = await createDashboard(api, { tiles: [insightTile('Visits')] })
    const others = `/api/environments/${await api.createProject()}/dashboards`
    const { id } = (await api.post(others, { name: 'Theirs' })).body
    const body = { tiles: [{ insight: { id: tiles[0].insight.id } }] }

    const responses = [await api.post(others, body), await api.patch(`${others}/${id}`, body)]

    for (const response of responses) {
      expect(response).toMatchObject({ status: 400, body: { attr: 'tiles__0__insight__id' } })
    }
    expect((await api.get(`${others}/${id}`)).body.tiles).toEqual([])
  })

  it('can show an existing insight', async () => {
    const api = await useApp()
    const { tiles } = await createDashboard(api, { tiles: [insightTile('Visits')] })

    const second = await createDashboard(api, { tiles: [{ insight: tiles[0].insight }] })

    expect(second.tiles[0].insight).toEqual(tiles[0].insight)
    expect(second.tiles[0].id).not.toBe(tiles[0].id)
  })

  const LONG = 'x'.repeat(4001)

  /** IDs of a tile with a text, one with an insight, one of another dashboard, and of its text. */
  interface Ids {
    readonly text: number
    readonly insight: number
    readonly foreign: number
    readonly foreignText: number
  }

  it.each<[attr: string, tiles: (ids: Ids) => unknown[], code: string]>([
    ['tiles__1__id', ({ text }) => [{ id: text }, { id: 404 }], 'does_not_exist'],
    ['tiles__0__id', ({ foreign }) => [{ id: foreign, color: 'red' }], 'does_not_exist'],
    ['tiles__0__id', () => [{ id: 1e300 }], 'max_value'],
    ['tiles__0__id', () => [{ id: -1 }], 'min_value'],
    ['tiles__0__id', ({ text }) => [{ id: `${text}` }], 'invalid_input'],
    ['tiles__0__text__id', () => [{ text: { id: 404, body: 'x' } }], 'does_not_exist'],
    [
      'tiles__0__text__id',
      ({ foreignText: id }) => [{ text: { id, body: 'x' } }],
      'does_not_exist',
    ],
    [
      'tiles__0__text__id',
      ({ text, foreignText: id }) => [{ id: text, text: { id, body: 'x' } }],
      'does_not_exist',
    ],
    ['tiles__0__text__id', () => [{ text: { id: 2 ** 63, body: 'x' } }], 'max_value'],
    ['tiles__0__text__body', ({ text }) => [{ id: text, text: { body: LONG } }], 'max_length'],
    [
      'tiles__2__text__body',
      ({ text, insight }) => [{ id: text }, { id: insight }, textTile(LONG)],
      'max_length',
    ],
    ['tiles__0__text', ({ insight }) => [{ id: insight, text: { body: 'x' } }], 'invalid_input'],
    ['tiles__0__text__body', () => [{ text: { body: 7 } }], 'invalid_input'],
    ['tiles__0__insight__id', () => [{ insight: { id: 404 } }], 'does_not_exist'],
    ['tiles__0__insight__id', () => [{ insight: { id: 1e20 } }], 'max_value'],
    ['tiles__0__insight__query', () => [{ insight: { query: 'select' } }], 'not_a_dict'],
    ['tiles__0__insight__name', () => [insightTile('x'.repeat(401))], 'max_length'],
    ['tiles__0__layouts', ({ text }) => [{ id: text, layouts: [] }], 'not_a_dict'],
    ['tiles__0__color', ({ text }) => [{ id: text, color: 'x'.repeat(401) }], 'max_length'],
    ['tiles__0__deleted', ({ text }) => [{ id: text, deleted: 'yes' }], 'invalid_input'],
    ['tiles__0', () => [{}], 'invalid_input'],
    ['tiles__0', () => [{ text: { body: 'a' }, insight: { name: 'b' } }], 'invalid_input'],
    ['tiles__1', ({ text }) => [{ id: text, deleted: true }, 7], 'not_a_dict'],
  ])('are rejected when %s is wrong, and nothing changes', async (attr, toTiles, code) => {
    const api = await useApp()
    const own = await createDashboard(api, { tiles: [textTile('one'), insightTile('two', 6)] })
    const other = await createDashboard(api, { tiles: [textTile('of another dashboard')] })
    const [text, insight] = own.tiles.map((tile: { id: number }) => tile.id)
    const [{ id: foreign, text: foreignText }] = other.tiles
    const tiles = toTiles({ text, insight, foreign, foreignText: foreignText.id })
    const before = await readAll(api)

    const response = await api.patch(pathOf(own.id), { name: 'x', deleted: true, tiles })

    expect(response).toMatchObject({ status: 400, body: { attr, code } })
    expect(await readAll(api)).toEqual(before)
  })

  it('are all rejected with one of them, and no dashboard is created', async () => {
    const api = await startApp()
    const tiles = [textTile('one'), insightTile('two'), { insight: { id: 404 } }]

    const { status, body } = await api.post(DASHBOARDS, { name: 'x', tiles })

    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'does_not_exist', attr: 'tiles__2__insight__id' })
    for (const table of ['dashboards', 'tiles', 'texts', 'insights', 'share_links'] as const) {
      expect(await api.db.selectFrom(table).selectAll().execute()).toEqual([])
    }
  })

  it('roll back the whole patch when one is rejected', async () => {
    const api = await useApp()
    const { id, tiles } = await createDashboard(api, { tiles: [textTile('one')] })
    const before = await readAll(api)

    const { status } = await api.patch(pathOf(id), {
      name: 'changed',
      tiles: [{ id: tiles[0].id, text: { body: 'changed' } }, textTile('new'), { id: 404 }],
    })

    expect(status).toBe(400)
    expect(await readAll(api)).toEqual(before)
  })
})
