import { describe, expect, it, onTestFinished } from 'vitest'
import { openStorage } from '#server/db/open.ts'
import { startServer, toEnv } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { storageOptions } from '../support/app/storage.ts'
import { ALERTS, above, COUNT_ORDERS } from '../support/data/alerts.ts'
import { INSIGHTS } from '../support/data/insights.ts'
import { isSigned, startReceiver } from '../support/servers/receiver.ts'
import { until } from '../support/until.ts'

describe('a delivery', () => {
  it('in progress when the server is killed arrives after the next start', async () => {
    const options = await storageOptions('postgres')
    const storage = await openStorage(options)
    onTestFinished(() => storage.close())
    const url = 'https://hedgerow.example.com'
    const env = { ...toEnv(options), HEDGEROW_APP_HOSTS: '127.0.0.1', HEDGEROW_URL: url }
    const receiver = await startReceiver()
    const server = await startServer(env)
    const post = async (path: string, body: object = {}) =>
      (await server.call(OWNER.apiKey, path, 'POST', body)).body
    const insight = await post(INSIGHTS, { query: COUNT_ORDERS })
    const targets = [{ type: 'webhook', url: receiver.url }]
    const alert = await post(ALERTS, { insight: insight.id, targets, ...above(1) })

    receiver.answer(0)
    await post(`${ALERTS}/${alert.id}/test`)
    await receiver.waitFor(1)
    server.process.kill('SIGKILL')
    receiver.answer(200)
    const next_attempt_at = '2020-01-01T00:00:00.000Z' // as if the lease had expired
    await storage.db.updateTable('deliveries').set({ next_attempt_at }).execute()
    await startServer(env)

    const [first, second] = await receiver.waitFor(2)
    expect(second?.text).toBe(first?.text)
    expect(second?.headers['x-hedgerow-delivery']).toBe(first?.headers['x-hedgerow-delivery'])
    expect(second && isSigned(second, alert.signing_secret)).toBe(true)
    await until(async () => {
      const { state, attempt } = await storage.db
        .selectFrom('deliveries')
        .selectAll()
        .executeTakeFirstOrThrow()
      return state === 'delivered' && attempt === 2
    })
  })
})
