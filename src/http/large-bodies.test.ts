import { describe, expect, it } from 'vitest'
import { useApp } from '../../test/support/app/app.ts'
import { countTurns, slowDown } from '../../test/support/count-turns.ts'
import { addVisits } from '../../test/support/data/visits.ts'
import { toBody } from './large-bodies.ts'

const LENGTH = 256 * 1024

describe('the body of a long text', () => {
  it.each([
    ['ASCII', 'x'.repeat(3 * LENGTH + 1)],
    ['accents', 'é'.repeat(3 * LENGTH)],
    ['emoji', '😀'.repeat(LENGTH)],
    ['emoji across pieces', `x${'😀'.repeat(LENGTH)}`],
    ['halves of emoji', `${'\ud83d'.repeat(LENGTH + 1)}${'\ude00'.repeat(LENGTH)}`],
  ])('has the bytes of %s', async (_, text) => {
    const body = await toBody(text)

    expect(Buffer.isBuffer(body)).toBe(true)
    expect(Buffer.from(text).equals(body as Buffer)).toBe(true)
  })

  it('is converted in many turns of the event loop', async () => {
    slowDown()

    const turns = await countTurns(() => toBody('x'.repeat(40 * LENGTH)))

    expect(turns).toBeGreaterThan(5)
  })

  it('has a length and an ETag, and is cached', async () => {
    const api = await useApp()
    await addVisits(api, 100, { properties: { text: 'é'.repeat(1000) } })
    const columns = Array.from({ length: 9 }, (_, n) => `properties.text as c${n}`)
    const source = { kind: 'HogQLQuery', query: `select ${columns} from events` }
    const { body: dashboard } = await api.post('dashboards', { name: 'Long' })
    const query = { kind: 'DataVisualizationNode', source }
    await api.post('insights', { query, dashboards: [dashboard.id] })
    const path = `dashboards/${dashboard.id}`
    await api.get(`${path}?refresh=blocking`)

    const first = await api.get(path)
    const second = await api.get(path)

    expect(first.body.tiles[0].insight.result).toHaveLength(100)
    expect(Number(first.headers.get('content-length'))).toBeGreaterThan(1_800_000)
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(second.body).toEqual(first.body)
    const etag = { 'if-none-match': first.headers.get('etag') as string }
    expect((await api.get(path, etag)).status).toBe(304)
  })
})
