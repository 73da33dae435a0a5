import { describe, expect, it } from 'vitest'
import { uuid } from '#server/db/values.ts'
import { CONFIGS, startApp, type TestApp } from '../../../../../test/support/app/app.ts'
import { OWNER } from '../../../../../test/support/app/owner.ts'
import { queueJob } from '../../../../../test/support/data/runs.ts'
import { openStream, parseServerEvents } from '../../../../../test/support/streams.ts'
import { until } from '../../../../../test/support/until.ts'
import { insertLogs } from './log-store.ts'

async function startWithConfig(): Promise<TestApp> {
  const api = await startApp()
  await api.post(CONFIGS, { plugin: 4 })
  return api
}

async function watch(api: TestApp, headers: Record<string, string> = {}) {
  const { response, text, isEnded } = await openStream(api.address(`${CONFIGS}/1/live`), {
    authorization: `Bearer ${OWNER.apiKey}`,
    ...headers,
  })
  return { response, seen: () => parseServerEvents(text()), ended: isEnded }
}

const log = (api: TestApp, message: string) =>
  insertLogs(api.db, [
    {
      project_id: 1,
      config_id: 1,
      run_id: uuid(),
      created_at: '2024-05-01T12:00:00.000Z',
      source: 'CONSOLE',
      type: 'LOG',
      message,
    },
  ])

const queue = (api: TestApp) => queueJob(api, 1)

describe('the live stream of a config', () => {
  it('sends log lines, and runs as they change', { tags: 'sql' }, async () => {
    const api = await startWithConfig()
    await log(api, 'before')
    const { response, seen } = await watch(api)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')

    await log(api, 'one\ntwo')
    const run = await queue(api)
    await until(() => seen().length === 2)
    await api.db.updateTable('runs').set({ done: 5, state: 'running' }).execute()
    await until(() => seen().length === 3)

    expect(seen().find(({ event }) => event === 'log')?.data.message).toBe('one\ntwo')
    const runs = seen().filter(({ event }) => event === 'run')
    expect(runs.map(({ data }) => [data.id, data.state, data.progress.done])).toEqual([
      [run.id, 'queued', 0],
      [run.id, 'running', 5],
    ])
  })

  it('continues after the last line that the client has seen', async () => {
    const api = await startWithConfig()
    for (const message of ['first', 'second', 'third']) await log(api, message)
    const first = await api.db.selectFrom('app_logs').select('id').orderBy('id').executeTakeFirst()

    const { seen } = await watch(api, { 'last-event-id': String(first?.id) })

    await until(() => seen().length === 2)
    expect(seen().map(({ data }) => data.message)).toEqual(['second', 'third'])
  })

  it('ends when the server stops', async () => {
    const api = await startWithConfig()
    const { ended } = await watch(api)

    await api.app.close()

    await until(ended)
  })

  it('is refused without access to the config', async () => {
    const api = await startWithConfig()
    const other = await api.as({ scopes: ['dashboard:read'] })

    expect((await other.get(`${CONFIGS}/1/live`)).status).toBe(403)
    expect((await api.get(`${CONFIGS}/9/live`)).status).toBe(404)
  })
})
