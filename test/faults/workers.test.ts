import type { ChildProcess } from 'node:child_process'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStorage } from '#server/db/open.ts'
import type { Db } from '#server/db/schema.ts'
import { compileApp } from '#server/runtime/compile.ts'
import {
  type Environment,
  type Server,
  startServer,
  startWorkerProcess,
  toEnv,
} from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { installPlugin } from '../support/app/plugin.ts'
import { storageOptions } from '../support/app/storage.ts'
import { until } from '../support/until.ts'

const CONFIGS = 'pipeline_import_apps_configs'
const CONFIG_COUNT = 20
const RUNS_EACH = 10

const APP = `
  export const jobs = {
    async work(payload, meta) {
      await meta.utils.sleep(20)
      await posthog.capture('worked', { distinct_id: 'app', n: payload.n })
    },
  }
  export async function runEveryMinute() {
    await posthog.capture('ticked', { distinct_id: 'app' })
  }
`

/** Runs two servers and two workers and replaces those that are killed, as a supervisor would. */
async function startCluster(env: Environment) {
  const servers = await Promise.all([startServer(env), startServer(env)])
  const members: ChildProcess[] = servers.map((server) => server.process)
  members.push(...(await Promise.all([startWorkerProcess(env), startWorkerProcess(env)])))
  let current: Server[] = servers

  return {
    members,
    server: () => current[0] as Server,
    async kill(index: number): Promise<void> {
      members[index]?.kill('SIGKILL')
      if (index >= 2) {
        members[index] = await startWorkerProcess(env)
        return
      }
      current = current.filter((server) => server.process !== members[index])
      const next = await startServer(env)
      members[index] = next.process
      current.push(next)
    },
  }
}

async function prepare(db: Db): Promise<number> {
  const plugin = await installPlugin(db, {
    code: await compileApp({ 'index.ts': APP }, 'index.ts'),
    public_jobs: { work: { payload: { n: { type: 'number' } } } },
    scheduled_tasks: ['runEveryMinute'],
  })
  return plugin
}

describe('servers and workers on one PostgreSQL database', () => {
  it('finish every run exactly once, whichever of them is killed', {
    timeout: 300_000,
  }, async () => {
    const options = await storageOptions('postgres')
    const storage = await openStorage(options)
    onTestFinished(() => storage.close())
    const { db } = storage
    const plugin = await prepare(db)
    const cluster = await startCluster(toEnv(options))

    for (let made = 0; made < CONFIG_COUNT; made++) {
      await cluster.server().call(OWNER.apiKey, CONFIGS, 'POST', { plugin, enabled: true })
    }
    for (let n = 0; n < CONFIG_COUNT * RUNS_EACH; n++) {
      const path = `${CONFIGS}/${1 + (n % CONFIG_COUNT)}/job`
      const body = { job: { type: 'work', payload: { n } } }
      const { status } = await cluster.server().call(OWNER.apiKey, path, 'POST', body)
      expect(status).toBe(200)
      if (n === 40) await cluster.kill(2)
      if (n === 90) await cluster.kill(1)
      if (n === 140) await cluster.kill(3)
    }
    await cluster.kill(0)
    await until(async () => (await listRuns(db)).some(({ kind }) => kind === 'schedule'), 75)
    await until(async () => (await listRuns(db)).every(({ finished_at }) => finished_at), 120)

    const runs = await listRuns(db)
    const jobs = runs.filter(({ kind }) => kind === 'job')
    expect(jobs).toHaveLength(CONFIG_COUNT * RUNS_EACH)
    expect(jobs.filter(({ state }) => state !== 'succeeded')).toEqual([])
    expect(jobs.some(({ attempt }) => attempt > 1)).toBe(true)
    expect(runs.length).toBeGreaterThan(jobs.length)
    // a scheduled run that waits longer than a minute behind the jobs is dropped, which also ends it
    expect(new Set(runs.map(({ state }) => state)).difference(ENDINGS)).toEqual(new Set())
    expect(await countEndings(db)).toBe(runs.filter(({ state }) => state === 'succeeded').length)
    expect(await listTicksThatFiredTwice(db)).toEqual([])
    expect(await listUnworked(db)).toEqual([])
  })
})

const ENDINGS: ReadonlySet<string> = new Set(['succeeded', 'cancelled'])

const listRuns = (db: Db) => db.selectFrom('runs').selectAll().execute()

/** Counts the recorded ends of runs; each is written in the transaction that ends the run. */
async function countEndings(db: Db): Promise<number> {
  const { endings } = await db
    .selectFrom('app_metrics')
    .select((eb) =>
      eb.fn.sum<number>(eb('runs_succeeded', '+', eb.ref('runs_failed'))).as('endings'),
    )
    .executeTakeFirstOrThrow()
  return Number(endings)
}

async function listTicksThatFiredTwice(db: Db) {
  const { rows } = await sql`
    select config_id, name, substr(created_at, 1, 16) as minute from runs
    where kind = 'schedule' group by 1, 2, 3 having count(*) > 1`.execute(db)
  return rows
}

/** Finds successful runs whose event is missing. */
async function listUnworked(db: Db) {
  const { rows } = await sql`
    select payload from runs where kind = 'job' and not exists (
      select 1 from events where event = 'worked'
      and (properties::jsonb ->> 'n') = (runs.payload::jsonb ->> 'n'))`.execute(db)
  return rows
}
