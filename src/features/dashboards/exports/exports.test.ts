import { describe, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app/app.ts'
import { OWNER } from '../../../../test/support/app/owner.ts'
import { createDashboard, pathOf, textTile } from '../../../../test/support/data/dashboards.ts'
import { addVisits, visits } from '../../../../test/support/data/visits.ts'

const INSIGHTS = 'insights'

async function start() {
  const api = await useApp()
  await addVisits(api, 3)
  const query = visits({ trendsFilter: { display: 'ActionsLineGraph' } })
  const tile = { insight: { name: 'Visits: "daily" <b>', query } }
  const dashboard = await createDashboard(api, {
    name: 'Über uns',
    tiles: [tile, textTile('Read **me**', 0, 200)],
  })
  const read = async (path: string, key: string | undefined = OWNER.apiKey) => {
    const headers = key ? { authorization: `Bearer ${key}` } : {}
    const response = await fetch(api.address(path), { headers })
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, bytes, text: bytes.toString() }
  }
  return { api, read, id: dashboard.id, insight: dashboard.tiles[0].insight.short_id }
}

describe('an insight', () => {
  it('is exported as CSV, JSON, SVG and PNG', async () => {
    const { read, insight } = await start()

    const csv = await read(`${INSIGHTS}/${insight}/export.csv`)
    const json = await read(`${INSIGHTS}/${insight}/export.json`)
    const svg = await read(`${INSIGHTS}/${insight}/export.svg?scheme=dark`)
    const png = await read(`${INSIGHTS}/${insight}/export.png?width=400&height=300`)

    expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(csv.text.split('\r\n').filter(Boolean)).toHaveLength(9)
    expect(csv.text).toContain('3')
    expect(csv.headers.get('content-disposition')).toContain('filename="Visits-daily-b.csv"')
    expect(JSON.parse(json.text).result[0].count).toBe(3)
    expect(svg.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
    expect(svg.text).toMatch(/^<svg /)
    expect(svg.text).not.toContain('<b>')
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG')
    expect([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)]).toEqual([800, 600])
  })

  it('is not exported without a query, at an invalid size or from another project', async () => {
    const { api, read, insight } = await start()
    const { body: empty } = await api.post(INSIGHTS, { name: 'Nothing' })
    const member = await api.as({ scopes: ['dashboard:read'] })

    expect((await read(`${INSIGHTS}/${empty.id}/export.csv`)).status).toBe(409)
    expect((await read(`${INSIGHTS}/${insight}/export.png?width=1`)).status).toBe(400)
    expect((await read(`${INSIGHTS}/${insight}/export.gif`)).status).toBe(404)
    expect((await read(`${INSIGHTS}/999/export.csv`)).status).toBe(404)
    expect((await read(`${INSIGHTS}/${insight}/export.csv`, member.key)).status).toBe(403)
  })
})

describe('a dashboard', () => {
  it('is exported with a long name in any script', async () => {
    const { api, read } = await start()
    const { id } = await createDashboard(api, { name: `a${'\u{1D400}'.repeat(100)}` })

    const { status, headers } = await read(pathOf(id, '/export.json'))

    expect(status).toBe(200)
    const [, name = ''] = headers.get('content-disposition')?.split("''") ?? []
    expect(decodeURIComponent(name)).toBe(`a${'\u{1D400}'.repeat(79)}.json`)
  })

  it('is exported with the title that the app shows for an insight without a name', async () => {
    const { api, read } = await start()
    const derived_name = 'Trends: visits'
    const { id } = await createDashboard(api, {})
    await api.post(INSIGHTS, { derived_name, query: visits(), dashboards: [id] })

    const { text } = await read(pathOf(id, '/export.csv'))

    expect(text.split('\r\n')[0]).toBe(derived_name)
  })

  it('is exported as JSON, CSV, PNG and PDF, and by its public link', async () => {
    const { api, read, id } = await start()
    const { access_token } = (await api.patch(pathOf(id, '/sharing'), { enabled: true })).body
    const files = async (format: string) => [
      await read(pathOf(id, `/export.${format}`)),
      await read(`/shared/${access_token}.${format}`, ''),
    ]

    const csvs = await files('csv')
    const pngs = await files('png')
    const pdfs = await files('pdf')
    const json = JSON.parse((await read(pathOf(id, '/export.json'))).text)

    for (const { status, text } of csvs) {
      expect(status).toBe(200)
      expect(text).toContain('Visits')
    }
    for (const { bytes } of pngs) expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    for (const { bytes } of pdfs) expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect(json.tiles).toHaveLength(2)
    expect(json.tiles[0].result[0].count).toBe(3)
    expect(pdfs[0]?.headers.get('content-disposition')).toContain(
      "filename*=UTF-8''%C3%9Cber-uns.pdf",
    )
    expect((await read(`/shared/${'x'.repeat(32)}.png`, '')).status).toBe(404)
    expect((await read(`/shared/${access_token}.exe`, '')).status).toBe(404)
    await api.patch(pathOf(id, '/sharing'), { enabled: false })
    expect((await read(`/shared/${access_token}.png`, '')).status).toBe(404)
  })
})
