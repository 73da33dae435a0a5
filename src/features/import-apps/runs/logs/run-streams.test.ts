import { describe, expect, it, onTestFinished } from 'vitest'
import { uuid } from '#server/db/values.ts'
import { CONFIGS, startApp, type TestApp } from '../../../../../test/app.ts'
import { OWNER } from '../../../../../test/owner.ts'
import { until } from '../../../../../test/until.ts'
import { queueRun } from '../store.ts'
import { insertLogs } from './log-store.ts'

async function startWithConfig(): Promise<TestApp> {
  const api = await startApp()
  await api.post(CONFIGS, { plugin: 4 })
  return api
}

interface Event {
  readonly event: string
  readonly id: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: what is sent is whatever the test expects of it
  readonly data: any
}

/** The events that an EventSource would have received so far. */
async function watch(api: TestApp, headers: Record<string, string> = {}) {
  const control = new AbortController()
  onTestFinished(() => control.abort())
  const response = await fetch(api.address(`${CONFIGS}/1/live`), {
    headers: { authorization: `Bearer ${OWNER.apiKey}`, ...headers },
    signal: control.signal,
  })
  let text = ''
  let ended = false
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
    ended = true
  })()
  reading.catch(() => {})
  const seen = (): Event[] =>
    text
      .split('\n\n')
      .filter((part) => part.includes('data:'))
      .map((part) => ({
        event: /^event: (.*)$/m.exec(part)?.[1] ?? '',
        id: /^id: (.*)$/m.exec(part)?.[1],
        data: JSON.parse(/^data: (.*)$/m.exec(part)?.[1] ?? 'null'),
      }))
  return { response, seen, ended: () => ended }
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

const queue = (api: TestApp) =>
  api.db.transaction().execute((tx) =>
    queueRun(tx, {
      project_id: 1,
      config_id: 1,
      plugin_id: 4,
      kind: 'job',
      name: 'x',
      payload: {},
      message: '',
      created_by: null,
    }),
  )

describe('a live stream', () => {
  it('tells of lines and of runs as they change', async () => {
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

  it('goes on after the line that was seen last', async () => {
    const api = await startWithConfig()
    for (const message of ['first', 'second', 'third']) await log(api, message)
    const first = await api.db.selectFrom('app_logs').select('id').orderBy('id').executeTakeFirst()

    const { seen } = await watch(api, { 'last-event-id': String(first?.id) })

    await until(() => seen().length === 2)
    expect(seen().map(({ data }) => data.message)).toEqual(['second', 'third'])
  })

  it('does not keep the server from stopping', async () => {
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
