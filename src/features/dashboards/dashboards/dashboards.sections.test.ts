import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf } from '../../../../test/support/data/dashboards.ts'
import { addVisits, numberOf, visits } from '../../../../test/support/data/visits.ts'
import { until } from '../../../../test/support/until.ts'

const at = (y: number, h = 3) => ({ sm: { x: 0, y, w: 6, h } })
const title = (body: string, y: number, section = 'open') => ({
  text: { body },
  section,
  layouts: at(y, 1),
})
const tile = (name: string, y: number, query: object = visits()) => ({
  insight: { name, query },
  layouts: at(y),
})

/** Different queries, which share no result. */
const days = (count: number) => visits({ dateRange: { date_from: `-${count}d` } })

const DETAILS = [title('Details', 3, 'folded'), tile('Hidden', 4, days(5))]

async function startWith(tiles: object[]) {
  const api = await useApp()
  await addVisits(api, 3)
  const dashboard = await createDashboard(api, { tiles })
  const read = async (query: string) => (await api.get(pathOf(dashboard.id, query))).body
  return { api, dashboard, read }
}

type Body = { tiles: { section: string | null; insight: { result: unknown } | null }[] }

const numbers = ({ tiles }: Body) =>
  tiles.flatMap(({ insight }) => (insight ? [numberOf(insight.result) ?? null] : []))

const sectionsOf = ({ tiles }: Body) => tiles.map(({ section }) => section)

const patchTile = (api: TestApp, id: number, fields: object) =>
  api.patch(pathOf(id), { tiles: [fields] })

describe('a section', () => {
  it('is a text, and stays when other fields change', { tags: 'sql' }, async () => {
    const { api, dashboard, read } = await startWith([tile('Visits', 0), ...DETAILS])
    expect(sectionsOf(dashboard)).toEqual([null, 'folded', null])
    const { id } = dashboard.tiles[1]

    await patchTile(api, dashboard.id, { id, text: { body: 'More' } })
    expect((await read('?refresh=force_cache')).tiles[1]).toMatchObject({
      section: 'folded',
      text: { body: 'More' },
    })

    for (const section of ['open', null]) {
      const { body } = await patchTile(api, dashboard.id, { id, section })
      expect(sectionsOf(body)).toEqual([null, section, null])
    }
  })

  it('is copied, and part of templates and the activity', { tags: 'sql' }, async () => {
    const { api, dashboard } = await startWith([tile('Visits', 0), ...DETAILS])
    const expected = [null, 'folded', null]

    for (const duplicate_tiles of [true, false]) {
      const copy = await createDashboard(api, { use_dashboard: dashboard.id, duplicate_tiles })
      expect(sectionsOf(copy)).toEqual(expected)
    }
    const template = { template_name: 'Mine', from_dashboard: dashboard.id }
    expect((await api.post('dashboard_templates', template)).status).toBe(201)
    expect(sectionsOf(await createDashboard(api, { use_template: 'Mine' }))).toEqual(expected)

    await patchTile(api, dashboard.id, { id: dashboard.tiles[1].id, section: 'open' })
    const { body } = await api.get(pathOf(dashboard.id, '/activity'))
    expect(body.results[0].detail.changes).toMatchObject([
      { before: { section: 'folded' }, after: { section: 'open', text: 'Details' } },
    ])
  })

  it('does not compute its tiles while it is folded', async () => {
    const { dashboard, read } = await startWith([
      tile('Visits', 0),
      ...DETAILS,
      title('After', 7),
      tile('Shown', 8, days(6)),
    ])
    const { id } = dashboard.tiles[1]

    expect(numbers(await read('?refresh=blocking'))).toEqual([3, null, 3])

    const open = encodeURIComponent(JSON.stringify({ [id]: 'open' }))
    expect(numbers(await read(`?refresh=blocking&sections_override=${open}`))).toEqual([3, 3, 3])
  })

  it('keeps its last results while it is folded', async () => {
    const { api, dashboard, read } = await startWith([title('Visits', 0), tile('Visits', 1)])
    const folded = encodeURIComponent(JSON.stringify({ [dashboard.tiles[0].id]: 'folded' }))
    expect(numbers(await read('?refresh=blocking'))).toEqual([3])

    await addVisits(api, 1)

    expect(numbers(await read(`?refresh=blocking&sections_override=${folded}`))).toEqual([3])
    expect(numbers(await read('?refresh=blocking&sections_override=open'))).toEqual([4])
  })

  it('is refreshed in the background once a viewer has opened it', async () => {
    const { api, read } = await startWith(DETAILS)
    const open = '?sections_override=open'
    await until(async () => numbers(await read(open))[0] === 3)

    await addVisits(api, 1)

    await until(async () => numbers(await read(open))[0] === 4)
  })

  it.each([
    ['an unknown state', '{"5":"closed"}', 'sections_override__5'],
    ['text', 'none', 'sections_override'],
    ['a list', '["5"]', 'sections_override'],
  ])('cannot be overridden by %s', async (_, sections, attr) => {
    const { api, dashboard } = await startWith([])

    const path = pathOf(dashboard.id, `?sections_override=${encodeURIComponent(sections)}`)

    expect(await api.get(path)).toMatchObject({ status: 400, body: { attr } })
  })

  it('has a text, and no other state', async () => {
    const { api, dashboard } = await startWith([tile('Visits', 0), ...DETAILS])
    const [visit, details] = dashboard.tiles
    const path = pathOf(dashboard.id)

    for (const [fields, attr] of [
      [{ id: visit.id, section: 'open' }, 'tiles__0__section'],
      [{ ...tile('New', 9), section: 'folded' }, 'tiles__0__section'],
      [{ id: details.id, section: 'closed' }, 'tiles__0__section'],
      [{ id: details.id, section: true }, 'tiles__0__section'],
    ] as const) {
      const refused = await api.patch(path, { tiles: [fields] })
      expect(refused).toMatchObject({ status: 400, body: { attr } })
    }
    expect(sectionsOf((await api.get(path)).body)).toEqual([null, 'folded', null])
  })

  it('is folded in pictures, and complete in data', async () => {
    const { api, dashboard } = await startWith([tile('Visits', 0), ...DETAILS])

    const json = await api.get(pathOf(dashboard.id, '/export.json'))

    expect(json.body.tiles[1]).toMatchObject({ section: 'folded', text: 'Details' })
    expect(numberOf(json.body.tiles[2].result)).toBe(3)
    expect((await api.get(pathOf(dashboard.id, '/export.csv'))).text).toContain('Hidden')
    expect((await api.get(pathOf(dashboard.id, '/export.pdf'))).status).toBe(200)
  })
})
