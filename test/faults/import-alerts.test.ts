import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStorage } from '#server/db/open.ts'
import { compileApp } from '#server/runtime/compile.ts'
import { CONFIGS } from '../support/app/app.ts'
import { type Server, startServer, toEnv } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { installPlugin } from '../support/app/plugin.ts'
import { storageOptions } from '../support/app/storage.ts'
import { startReceiver } from '../support/servers/receiver.ts'
import { until } from '../support/until.ts'

const ALERTS = '/api/projects/1/alerts'
/** Two intervals of a minute, a minute, and the time of a delivery. */
const SOON_S = 200

/** Reads from the path that its settings name, every minute. */
const toApp = (origin: string) => `
  export async function runEveryMinute({ config }) {
    const response = await fetch(config.path === 'dead' ? 'http://127.0.0.1:1/' : '${origin}/' + config.path)
    if (!response.ok) throw new Error('The service returned ' + response.status)
  }
`

/** Accepts no key at /key and never responds at /hung. */
async function startService(): Promise<string> {
  const server = createServer(({ url }, response) => {
    if (url === '/hung') return
    response.writeHead(url === '/key' ? 401 : 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

const PATHS = ['dead', 'key', 'hung', 'fine'] as const

async function listEvents(server: Server, id: string): Promise<string[]> {
  const { body } = await server.call(OWNER.apiKey, `${ALERTS}/${id}/deliveries`)
  return body.results.map(({ event }: { event: string }) => event)
}

describe('an import that dies', () => {
  it('raises exactly one alert, whether its host, its key, its request or its worker is to blame, and one when it works again', async () => {
    const options = await storageOptions('postgres')
    const receiver = await startReceiver()
    const { db, close } = await openStorage(options)
    const code = await compileApp({ 'index.ts': toApp(await startService()) }, 'index.ts')
    const config_schema = [{ key: 'path', type: 'string' as const }]
    const scheduled_tasks = ['runEveryMinute']
    const plugin = await installPlugin(db, { code, config_schema, scheduled_tasks })
    await close()
    const env = { ...toEnv(options), HEDGEROW_APP_HOSTS: '127.0.0.1' }
    const web = await startServer(env, '--no-worker')
    const worker = await startServer(env)
    const call = async (path: string, method: string, body: object) =>
      (await web.call(OWNER.apiKey, path, method, body)).body
    const alerts: string[] = []
    for (const path of PATHS) {
      const { id: config } = await call(CONFIGS, 'POST', { plugin })
      await call(`${CONFIGS}/${config}/settings`, 'PATCH', { settings: { path } })
      await call(`${CONFIGS}/${config}`, 'PATCH', { enabled: true })
      const { id } = await call(ALERTS, 'POST', {
        source: { kind: 'import', config },
        on: ['failed', 'stale', 'recovered'],
        targets: [{ type: 'webhook', url: `${receiver.url}/${path}` }],
      })
      alerts.push(id)
    }
    const [dead, key, hung, fine] = alerts as [string, string, string, string]
    const raised = (id: string) => until(async () => (await listEvents(web, id)).length > 0, SOON_S)

    await Promise.all([dead, key, hung].map(raised))
    expect(await listEvents(web, fine)).toEqual([])
    await worker.stop('SIGKILL')
    await raised(fine)

    expect(await Promise.all([dead, key, hung].map((id) => listEvents(web, id)))).toEqual([
      ['import.failed'],
      ['import.failed'],
      ['import.failed'],
    ])
    expect(await listEvents(web, fine)).toEqual(['import.stale'])
    await until(() => receiver.received.length === PATHS.length)

    await startServer(env)
    await until(async () => (await listEvents(web, fine)).length > 1, SOON_S)
    expect(await listEvents(web, fine)).toEqual(['import.recovered', 'import.stale'])
    await until(() => receiver.received.length === PATHS.length + 1)
  })
})
