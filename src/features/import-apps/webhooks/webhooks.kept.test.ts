import { describe, expect, it } from 'vitest'
import { inSeconds } from '#server/db/values.ts'
import type { TestApp } from '../../../../test/support/app/app.ts'
import { startTestWorker } from '../../../../test/support/app/import-app.ts'
import { CONFIG, type Receiving, startReceiving } from '../../../../test/support/app/receiving.ts'
import { insertRequests } from '../../../../test/support/data/webhooks.ts'
import { pruneRequests } from './store.ts'

const DAY_S = 24 * 3600

const countOf = async (api: TestApp, state: string): Promise<number> =>
  (await api.get(`${CONFIG}/requests?state=${state}&limit=1`)).body.count

describe('requests are kept', () => {
  it('until they are too old or too many, and while they wait', { tags: 'sql' }, async () => {
    const api = await startReceiving({}, false)
    await insertRequests(api.db, 3, 'waiting', inSeconds(-30 * DAY_S))
    await insertRequests(api.db, 5, 'done', inSeconds(-8 * DAY_S))
    await insertRequests(api.db, 7, 'done', inSeconds(-6 * DAY_S))
    await insertRequests(api.db, 110, 'done')
    const counts = async () => [await countOf(api, 'waiting'), await countOf(api, 'done')]

    await pruneRequests(api.db)
    expect(await counts()).toEqual([3, 117])

    await api.patch(`${CONFIG}/address`, { keep_days: 2 })
    await pruneRequests(api.db)
    expect(await counts()).toEqual([3, 110])

    await api.patch(`${CONFIG}/address`, { keep_requests: 100 })
    await pruneRequests(api.db)
    expect(await counts()).toEqual([3, 100])
  })

  it('as the config says, within limits', async () => {
    const api = await startReceiving({}, false)
    const kept = { keep_days: 7, keep_requests: 10_000, while_disabled: 'refuse' }
    expect((await api.get(`${CONFIG}/address`)).body).toMatchObject(kept)

    for (const [field, value] of [
      ['keep_days', 0],
      ['keep_days', 366],
      ['keep_requests', 99],
      ['keep_requests', 100_001],
      ['while_disabled', 'drop'],
    ] as const) {
      const { status, body } = await api.patch(`${CONFIG}/address`, { [field]: value })
      expect([status, body.attr]).toEqual([400, field])
    }

    expect((await api.get(`${CONFIG}/address`)).body).toMatchObject(kept)
  })
})

describe('requests are replayed', () => {
  /** Has handled two requests that failed and one that did not, each of another day. */
  async function startFailed(): Promise<Receiving> {
    const api = await startReceiving({ distinct_id: 'person' }, false)
    for (const person of [undefined, 'ada', undefined]) await api.send({ type: 'a', person })
    for (const id of [1, 2, 3]) {
      const received_at = `2026-01-0${id}T12:00:00.000Z`
      await api.db
        .updateTable('webhook_requests')
        .set({ received_at })
        .where('id', '=', id)
        .execute()
    }
    startTestWorker(api)
    await api.handled(3)
    return api
  }

  it('by their state, once the reason of their failure is gone', { tags: 'sql' }, async () => {
    const api = await startFailed()
    expect(await countOf(api, 'failed')).toBe(2)
    await api.patch(`${CONFIG}/settings`, { settings: { distinct_id: '' } })

    const { body } = await api.post(`${CONFIG}/requests/replay`, { state: 'failed' })
    await api.handled(3)

    expect(body).toEqual({ replayed: 2 })
    expect(await countOf(api, 'done')).toBe(3)
    const people = (await api.stored()).map(({ distinct_id }) => distinct_id)
    expect(people.sort()).toEqual(['ada', 'webhook', 'webhook'])
    const activity = await api.get(`${CONFIG}/activity`, { accept: 'application/json' })
    expect(activity.body.results[0]).toMatchObject({ activity: 'requests_replayed' })
  })

  it('of a period, of a state, or all', async () => {
    const api = await startFailed()

    for (const [range, replayed] of [
      [{ from: '2026-01-02T12:00:00Z' }, 2],
      [{ to: '2026-01-02T12:00:00Z' }, 1],
      [{ from: '2026-01-01T00:00:00+01:00', to: '2026-01-02T13:00:00+01:00' }, 1],
      [{ from: '2026-01-02T00:00:00Z', state: 'done' }, 1],
      [{}, 3],
    ] as const) {
      const { body } = await api.post(`${CONFIG}/requests/replay`, range)
      expect([range, body]).toEqual([range, { replayed }])
      await api.handled(3)
    }
    expect(await api.stored()).toHaveLength(1)
  })

  it('not while the config is disabled, nor if the range is none', async () => {
    const api = await startFailed()
    const replay = (range: object) => api.post(`${CONFIG}/requests/replay`, range)

    expect((await replay({ from: 'yesterday' })).body).toMatchObject({ attr: 'from' })
    expect((await replay({ state: 'lost' })).body).toMatchObject({ attr: 'state' })
    await api.patch(CONFIG, { enabled: false })
    expect((await replay({})).status).toBe(409)
    expect((await api.post(`${CONFIG}/requests/1/replay`)).status).toBe(409)
  })
})
