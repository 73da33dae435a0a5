import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { isPostgres } from '#server/db/dialect.ts'
import { openStorage } from '#server/db/open.ts'
import type { Db } from '#server/db/schema.ts'
import { compileApp } from '#server/runtime/compile.ts'
import { CONFIGS } from '../support/app/app.ts'
import { startServer, toEnv } from '../support/app/cli.ts'
import { startImportApp, startTestWorker } from '../support/app/import-app.ts'
import { OWNER } from '../support/app/owner.ts'
import { installPlugin } from '../support/app/plugin.ts'
import { storageOptions } from '../support/app/storage.ts'
import { until } from '../support/until.ts'

/** The limit that docs/operating.md promises. */
const PROMISED_S = 30

const APP = `
  export const jobs = {
    async work({ n }, meta) {
      console.log('begun ' + n)
      for (let waited = 0; n === 0 || waited < n; waited += 100) await meta.utils.sleep(100)
    },
  }
`

/** Wraps a database so it can refuse every statement; counts the refusals. */
function withOutage(db: Db) {
  const outage = { isAway: false, refusals: 0 }
  class AwayDriver extends DummyDriver {
    override async acquireConnection(): Promise<never> {
      outage.refusals++
      throw new Error('The storage is away.')
    }
  }
  /** Kysely would wait forever for the only connection of SQLite. */
  class AwaySqliteAdapter extends SqliteAdapter {
    override get supportsMultipleConnections(): boolean {
      return true
    }
  }
  const away: Db = new Kysely({
    dialect: {
      createDriver: () => new AwayDriver(),
      createAdapter: () => (isPostgres(db) ? new PostgresAdapter() : new AwaySqliteAdapter()),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (any) => new SqliteIntrospector(any),
    },
  })
  const proxy = new Proxy(db, {
    get(_, name) {
      const target = outage.isAway ? away : db
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { outage, db: proxy }
}

/** Config 1 has a run of half a second, while an endless run of config 2 keeps the same worker busy. */
async function startTwoRuns(database: string) {
  vi.stubEnv('TEST_DATABASE', database)
  onTestFinished(() => void vi.unstubAllEnvs())
  const api = await startImportApp(APP)
  await api.worker.stop()
  const { outage, db } = withOutage(api.db)
  startTestWorker(api, { storage: { ...api.services.storage, db } })
  const { plugin } = (await api.get(`${CONFIGS}/1`)).body
  await api.post(CONFIGS, { plugin, enabled: true })
  const post = async (config: number, n: number) => {
    const job = { type: 'work', payload: { n } }
    return (await api.post(`${CONFIGS}/${config}/job`, { job }, { accept: 'application/json' }))
      .body
  }
  const endless = await post(2, 0)
  await until(async () => (await api.get(`${CONFIGS}/2/logs`)).text.includes('begun 0'))
  const run = await post(1, 500)
  await until(async () => (await api.logged()).includes('begun 500'))
  const release = async () => {
    await api.post(`${CONFIGS}/2/runs/${endless.id}/cancel`)
  }
  return { api, outage, run, release }
}

describe.each(['sqlite', 'postgres'] as const)('on %s, a run', (database) => {
  it('is settled even if the storage was down when it ended', async () => {
    const { api, outage, run, release } = await startTwoRuns(database)

    outage.isAway = true
    await until(() => outage.refusals > 20)
    outage.isAway = false

    const ended = await until(async () => {
      const { body } = await api.get(`${CONFIGS}/1/runs/${run.id}`)
      return body.finished_at !== null && body
    }, PROMISED_S)
    expect(ended).toMatchObject({ state: 'succeeded', attempt: 1 })
    await release()
  })

  it('starts again if its end cannot be stored at all', async () => {
    const { api, run, release } = await startTwoRuns(database)

    await sql`alter table app_metrics rename to lost_metrics`.execute(api.db)
    const [{ attempt } = { attempt: 0 }] = await until(async () => {
      const rows = await api.db.selectFrom('runs').selectAll().where('id', '=', run.id).execute()
      return rows.some((row) => row.attempt > 1) && rows
    }, PROMISED_S)
    await sql`alter table lost_metrics rename to app_metrics`.execute(api.db)

    expect(attempt).toBe(2)
    expect(await api.waitForRun(run.id)).toMatchObject({ state: 'succeeded' })
    await release()
  })

  it('of a killed process starts again before the runs behind it', async () => {
    const options = await storageOptions(database)
    const storage = await openStorage(options)
    const code = await compileApp({ 'index.ts': APP }, 'index.ts')
    const public_jobs = { work: { payload: { n: { type: 'number' as const } } } }
    const plugin = await installPlugin(storage.db, { code, public_jobs })
    await storage.close()
    const server = await startServer(toEnv(options))
    const post = (path: string, body: object) => server.call(OWNER.apiKey, path, 'POST', body)
    await post(CONFIGS, { plugin, enabled: true })
    for (const n of [1000, 100, 200]) {
      await post(`${CONFIGS}/1/job`, { job: { type: 'work', payload: { n } } })
    }
    await until(async () => {
      const { body } = await server.call(OWNER.apiKey, `${CONFIGS}/1/logs`)
      return JSON.stringify(body).includes('begun 1000')
    })

    await server.stop('SIGKILL')
    const again = await startServer(toEnv(options))

    const listRuns = async () =>
      (await again.call(OWNER.apiKey, `${CONFIGS}/1/runs`)).body.results.toReversed()
    await until(async () => (await listRuns())[0].attempt === 2, PROMISED_S)
    const runs = await until(async () => {
      const all = await listRuns()
      return all.every((run: { finished_at: string | null }) => run.finished_at) && all
    })
    expect(runs).toMatchObject([
      { payload: { n: 1000 }, state: 'succeeded', attempt: 2 },
      { payload: { n: 100 }, state: 'succeeded', attempt: 1 },
      { payload: { n: 200 }, state: 'succeeded', attempt: 1 },
    ])
    expect(runs[0].finished_at <= runs[1].started_at).toBe(true)
    expect(runs[1].finished_at <= runs[2].started_at).toBe(true)
  })
})
