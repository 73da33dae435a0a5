import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf, textTile } from '../../../../test/support/data/dashboards.ts'

const readLatest = async (api: TestApp, id: number): Promise<number> =>
  (await api.get(pathOf(id, '/activity?limit=1'))).body.results[0].id

describe('editing after an unseen edit', () => {
  it('is rejected, and changes nothing', { tags: 'sql' }, async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, { name: 'Mine' })
    const seen = await readLatest(api, id)
    await api.patch(pathOf(id), { name: 'Theirs' })

    const change = { description: 'x', tiles: [textTile('y')] }
    const { status, body } = await api.patch(pathOf(id, `?seen_activity=${seen}`), change)

    expect(status).toBe(409)
    expect(body).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('Someone else changed'),
    })
    const after = (await api.get(pathOf(id))).body
    expect(after).toMatchObject({ name: 'Theirs', description: '', tiles: [] })
  })

  it('is allowed once the edit was seen, and again after each own edit', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, { name: 'Mine' })
    await api.patch(pathOf(id), { name: 'Theirs' })

    const first = await api.patch(pathOf(id, `?seen_activity=${await readLatest(api, id)}`), {
      name: 'Both',
    })
    const seen = first.headers.get('x-seen-activity')
    const second = await api.patch(pathOf(id, `?seen_activity=${seen}`), { name: 'Again' })

    expect([first.status, second.status]).toEqual([200, 200])
    expect(seen).toBe(String((await readLatest(api, id)) - 1))
  })

  it('ignores sharing and patches that change nothing', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api, { name: 'Mine' })
    const seen = await readLatest(api, id)
    await api.patch(pathOf(id, '/sharing'), { enabled: true })
    await api.patch(pathOf(id), { name: 'Mine' })

    const { status } = await api.patch(pathOf(id, `?seen_activity=${seen}`), { name: 'Still mine' })

    expect(status).toBe(200)
  })

  it('is allowed without seen_activity', async () => {
    const api = await useApp()
    const { id } = await createDashboard(api)
    await api.patch(pathOf(id), { name: 'Theirs' })

    const { status, headers } = await api.patch(pathOf(id), { name: 'Mine' })

    expect(status).toBe(200)
    expect(headers.get('x-seen-activity')).toBe(null)
  })

  it.each(['-1', 'x', '1.5', '99999999999999999999'])(
    'rejects %s as seen_activity',
    async (seen) => {
      const api = await useApp()
      const { id } = await createDashboard(api)

      const { status, body } = await api.patch(pathOf(id, `?seen_activity=${seen}`), { name: 'x' })

      expect([status, body.attr]).toEqual([400, 'seen_activity'])
    },
  )
})
