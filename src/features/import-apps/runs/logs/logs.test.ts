import { describe, expect, it, onTestFinished } from 'vitest'
import { uuid } from '#server/db/values.ts'
import type { LogLine } from '#server/runtime/contract.ts'
import { CONFIGS, type TestApp, useApp } from '../../../../../test/support/app/app.ts'
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

interface WithLogs {
  readonly api: TestApp
  readonly config: number
  readonly other: number
}

/** Creates two configs, the first with these lines. */
async function startWithLogs(lines: readonly LogLine[]): Promise<WithLogs> {
  const api = await useApp()
  const create = async () => (await api.post(CONFIGS, { plugin: 4 })).body.id as number
  const [config, other] = [await create(), await create()]
  await write(api, config, lines)
  return { api, config, other }
}

async function write({ db, projectId }: TestApp, config_id: number, lines: readonly LogLine[]) {
  const logs = createLogWriter(db, (error) => expect(error).toBeUndefined())
  onTestFinished(() => logs.close())
  for (const each of lines) logs.write({ id: RUN, project_id: projectId, config_id }, each)
  await logs.flush()
}

const pathOf = (config: number, query = ''): string => `${CONFIGS}/${config}/logs${query}`

const messages = async ({ api, config }: WithLogs, query: string): Promise<string[]> =>
  (await api.get(pathOf(config, query))).body.results.map(
    (entry: { message: string }) => entry.message,
  )

describe('the log of a config', () => {
  it('is listed newest first, in pages', { tags: 'sql' }, async () => {
    const lines = Array.from({ length: 250 }, (_, n) => line(`line ${n}`))
    const { api, config } = await startWithLogs(lines)

    const { body } = await api.get(pathOf(config, '?limit=2'))

    expect(body.count).toBe(250)
    expect(body.results[0]).toEqual({
      id: expect.any(Number),
      team_id: api.projectId,
      plugin_config_id: config,
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
  ])('is filtered by %s', { tags: 'sql' }, async (query, expected) => {
    const started = await startWithLogs([
      line('first'),
      line('hm', { type: 'WARN', at: '2024-05-01T13:00:00.000Z' }),
      line('Bad 50%', { type: 'ERROR', at: '2024-05-01T14:00:00.000Z' }),
    ])

    expect(await messages(started, query)).toEqual(expected)
  })

  it.each(['?type_filter=LOUD', '?after=yesterday', '?limit=x', '?run=1'])(
    'refuses %s',
    async (query) => {
      const { api, config } = await startWithLogs([])

      expect((await api.get(pathOf(config, query))).status).toBe(400)
    },
  )

  it('is isolated between configs and projects', async () => {
    const { api, config, other } = await startWithLogs([line('mine')])
    const theirs = api.path(CONFIGS, await api.createProject())

    expect((await api.get(pathOf(other))).body.count).toBe(0)
    expect((await api.get(`${theirs}/${config}/logs`)).status).toBe(404)
    expect((await api.get(pathOf(9))).status).toBe(404)
  })

  it('drops lines of a config that was deleted', async () => {
    const started = await startWithLogs([line('old')])
    const { api, config, other } = started
    await api.delete(`${CONFIGS}/${other}`)
    const logs = createLogWriter(api.db, (error) => expect(error).toBeUndefined())
    onTestFinished(() => logs.close())

    for (const [config_id, text] of [
      [other, 'of the deleted one'],
      [config, 'new'],
    ] as const) {
      logs.write({ id: RUN, project_id: api.projectId, config_id }, line(text))
    }
    await logs.flush()

    expect(await messages(started, '')).toEqual(['new', 'old'])
  })

  it('keeps the newest ten thousand lines', { tags: 'sql' }, async () => {
    const lines = Array.from({ length: 10_003 }, (_, n) => line(`${n}`))
    const started = await startWithLogs(lines)
    const { api, config } = started

    await pruneLogs(api.db)

    expect((await api.get(pathOf(config, '?limit=1'))).body).toMatchObject({
      count: 10_000,
      results: [{ message: '10002' }],
    })
    expect(await messages(started, '?limit=1&offset=9999')).toEqual(['3'])
  })
})
