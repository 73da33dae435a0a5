import { describe, expect, it, onTestFinished } from 'vitest'
import { uuid } from '#server/db/values.ts'
import type { LogLine } from '#server/runtime/contract.ts'
import { CONFIGS, startApp, type TestApp } from '../../../../../test/app.ts'
import { pruneLogs } from './log-store.ts'
import { createLogWriter } from './log-writer.ts'

const RUN = uuid()

const line = (message: string, more: Partial<LogLine> = {}): LogLine => ({
  source: 'CONSOLE',
  type: 'LOG',
  message,
  at: '2024-05-01T12:00:00.000Z',
  ...more,
})

async function startWithLogs(lines: readonly LogLine[], config = 1): Promise<TestApp> {
  const api = await startApp()
  for (const _ of [1, 2]) await api.post(CONFIGS, { plugin: 4 })
  await write(api, lines, config)
  return api
}

async function write(api: TestApp, lines: readonly LogLine[], config_id = 1, id = RUN) {
  const logs = createLogWriter(api.db, (error) => expect(error).toBeUndefined())
  onTestFinished(() => logs.close())
  for (const each of lines) logs.write({ id, project_id: 1, config_id }, each)
  await logs.flush()
}

const messages = async (api: TestApp, query: string): Promise<string[]> =>
  (await api.get(`${CONFIGS}/1/logs${query}`)).body.results.map(
    (entry: { message: string }) => entry.message,
  )

describe('the log of a config', () => {
  it('is listed newest first, in pages', async () => {
    const api = await startWithLogs(Array.from({ length: 250 }, (_, n) => line(`line ${n}`)))

    const { body } = await api.get(`${CONFIGS}/1/logs?limit=2`)

    expect(body.count).toBe(250)
    expect(body.results[0]).toEqual({
      id: expect.any(Number),
      team_id: 1,
      plugin_config_id: 1,
      run_id: RUN,
      timestamp: '2024-05-01T12:00:00.000Z',
      source: 'CONSOLE',
      type: 'LOG',
      message: 'line 249',
    })
    expect(body.next).toContain('offset=2')
  })

  it.each<[string, string[]]>([
    ['?type_filter=ERROR', ['Bad 50%']],
    ['?type_filter=ERROR&type_filter=WARN', ['Bad 50%', 'hm']],
    ['?search=bAd', ['Bad 50%']],
    ['?search=0%25', ['Bad 50%']],
    ['?search=_', []],
    ['?after=2024-05-01T14:00:00%2B01:00', ['Bad 50%']],
    ['?before=2024-05-01T13:00:00Z', ['first']],
    [`?run=${RUN.toUpperCase()}`, ['Bad 50%', 'hm', 'first']],
    [`?run=${uuid()}`, []],
  ])('is filtered by %s', async (query, expected) => {
    const api = await startWithLogs([
      line('first'),
      line('hm', { type: 'WARN', at: '2024-05-01T13:00:00.000Z' }),
      line('Bad 50%', { type: 'ERROR', at: '2024-05-01T14:00:00.000Z' }),
    ])

    expect(await messages(api, query)).toEqual(expected)
  })

  it.each(['?type_filter=LOUD', '?after=yesterday', '?limit=x', '?run=1'])(
    'refuses %s',
    async (query) => {
      const api = await startWithLogs([])

      expect((await api.get(`${CONFIGS}/1/logs${query}`)).status).toBe(400)
    },
  )

  it('is isolated between configs and projects', async () => {
    const api = await startWithLogs([line('mine')])
    const theirs = api.path(CONFIGS, await api.createProject())

    expect((await api.get(`${CONFIGS}/2/logs`)).body.count).toBe(0)
    expect((await api.get(`${theirs}/1/logs`)).status).toBe(404)
    expect((await api.get(`${CONFIGS}/9/logs`)).status).toBe(404)
  })

  it('drops lines of a config that was deleted', async () => {
    const api = await startWithLogs([line('old')])
    await api.delete(`${CONFIGS}/2`)
    const logs = createLogWriter(api.db, (error) => expect(error).toBeUndefined())
    onTestFinished(() => logs.close())

    for (const config_id of [2, 1]) {
      logs.write({ id: RUN, project_id: 1, config_id }, line(`of ${config_id}`))
    }
    await logs.flush()

    expect(await messages(api, '')).toEqual(['of 1', 'old'])
  })

  it('keeps the newest ten thousand lines', async () => {
    const api = await startWithLogs(Array.from({ length: 10_003 }, (_, n) => line(`${n}`)))

    await pruneLogs(api.db)

    expect((await api.get(`${CONFIGS}/1/logs?limit=1`)).body).toMatchObject({
      count: 10_000,
      results: [{ message: '10002' }],
    })
    expect(await messages(api, '?limit=1&offset=9999')).toEqual(['3'])
  })
})
