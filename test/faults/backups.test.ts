import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listenForBackups } from '#server/backup/control/server.ts'
import { startApp } from '../support/app/app.ts'
import { launch, runHedgerow, type Server, startServer, toEnv } from '../support/app/cli.ts'
import { fillInstallation, readInstallation } from '../support/app/installation.ts'
import { OWNER } from '../support/app/owner.ts'
import { emptyStorage, storageOptions } from '../support/app/storage.ts'
import {
  backUp,
  readContent,
  restore,
  restoreTo,
  temporaryFolder,
} from '../support/data/backups.ts'
import { until } from '../support/until.ts'

describe('a backup of everything', () => {
  it('moves from SQLite to PostgreSQL and back without changing a result', async () => {
    const options = await storageOptions('sqlite')
    const api = await startApp(undefined, {}, options)
    const listener = await listenForBackups(options.dataFolder, api.services.events)
    onTestFinished(() => listener.close())
    await fillInstallation(api)
    const before = await readInstallation(api)
    expect(before.results.length).toBeGreaterThan(200)
    const first = await backUp(options, '--with-key')

    const onPostgres = await restoreTo('postgres', first)
    const second = await backUp(onPostgres, '--with-key')
    const onSqlite = await restoreTo('sqlite', second)
    const third = await backUp(onSqlite, '--with-key')

    const content = await readContent(first)
    expect(content.event_tables).toMatchObject({ events: 66, person_edits: 3, group_types: 1 })
    expect(await readContent(second)).toEqual(content)
    expect(await readContent(third)).toEqual(content)
    expect(await readInstallation(await startApp(undefined, {}, onPostgres))).toEqual(before)
    expect(await readInstallation(await startApp(undefined, {}, onSqlite))).toEqual(before)
  })
})

const BATCH = 50

/** Captures events and creates dashboards until it is stopped, and counts what was acknowledged. */
async function startLoad(server: Server) {
  const { api_token } = (await server.call(OWNER.apiKey, '')).body
  const done = { events: 0, dashboards: 0, refused: [] as number[] }
  let isRunning = true
  const batch = Array.from({ length: BATCH }, (_, n) => ({
    event: n % 9 === 0 ? '$identify' : 'visited',
    distinct_id: `person ${n}`,
    properties: { $anon_distinct_id: `anonymous ${n}`, text: 'x'.repeat(200) },
  }))
  const repeat = async (send: () => Promise<{ status: number }>, onDone: () => void) => {
    while (isRunning) {
      const { status } = await send()
      if (status < 300) onDone()
      else done.refused.push(status)
    }
  }
  const capture = () =>
    repeat(
      () => server.call('', '/batch/', 'POST', { api_key: api_token, batch }),
      () => {
        done.events += BATCH
      },
    )
  const create = () =>
    repeat(
      () => server.call(OWNER.apiKey, 'dashboards', 'POST', { name: 'A' }),
      () => {
        done.dashboards++
      },
    )
  const loops = Promise.all([capture(), capture(), create()])
  return {
    done,
    async stop() {
      isRunning = false
      await loops
    },
  }
}

const countsOf = async (path: string) => {
  const { event_tables, tables } = await readContent(path)
  return { events: event_tables.events ?? 0, dashboards: tables.dashboards ?? 0 }
}

async function readCounts(server: Server) {
  const query = { kind: 'HogQLQuery', query: 'select count() from events' }
  const { body } = await server.call(OWNER.apiKey, '/api/environments/1/query', 'POST', { query })
  const dashboards = await server.call(OWNER.apiKey, 'dashboards')
  return { events: body.results[0][0], dashboards: dashboards.body.count }
}

describe.each(['sqlite', 'postgres'] as const)('a backup under load on %s', (database) => {
  it('refuses nobody, contains everything acknowledged, and outlives the server', async () => {
    const options = await storageOptions(database)
    const server = await startServer(toEnv(options))
    const load = await startLoad(server)
    const path = join(await temporaryFolder(), 'a.tar')
    await until(() => load.done.events > 2000 && load.done.dashboards > 20)

    const before = { ...load.done }
    const { code, stderr } = await runHedgerow(['backup', path, '--with-key'], toEnv(options))
    await until(() => load.done.events > before.events + 500)
    await load.stop()
    await server.stop('SIGKILL')

    expect(code, stderr).toBe(0)
    expect(load.done.refused, server.stderr()).toEqual([])
    const counts = await countsOf(path)
    expect(counts.events).toBeGreaterThanOrEqual(before.events)
    expect(counts.events).toBeLessThanOrEqual(load.done.events)
    expect(counts.dashboards).toBeGreaterThanOrEqual(before.dashboards)
    const restored = await startServer(toEnv(await restoreTo(database, path)))
    expect(await readCounts(restored)).toEqual(counts)
  })
})

describe.each(['sqlite', 'postgres'] as const)('a restore that is killed on %s', (database) => {
  it('leaves nothing or everything, or says that it must be repeated', async () => {
    const source = await storageOptions('sqlite')
    const server = await startServer(toEnv(source))
    const load = await startLoad(server)
    await until(() => load.done.events > 5000)
    await load.stop()
    const path = await backUp(source, '--with-key')
    await server.stop()
    const startedAt = performance.now()
    const whole = launch(['restore', path], toEnv(await emptyStorage(database)))
    await once(whole, 'exit')
    const duration = performance.now() - startedAt

    let interrupted = 0
    for (const part of [0.5, 0.7, 0.85, 0.95]) {
      const target = await emptyStorage(database)
      const child = launch(['restore', path], toEnv(target))
      const exited = once(child, 'exit')
      await Promise.race([setTimeout(part * duration), exited])
      child.kill('SIGKILL')
      await exited

      const { code, stderr } = await runHedgerow(['project', 'list'], toEnv(target))
      if (code !== 0) {
        interrupted += 1
        expect(stderr).toMatch(/storage is empty|was interrupted/)
      }
      const again = await restore(path, target, '--replace')
      expect(again.code, again.stderr).toBe(0)
      expect(again.json.previous === null).toBe(code !== 0)
      expect(await readContent(await backUp(target, '--with-key'))).toEqual(await readContent(path))
    }
    expect(interrupted).toBeGreaterThan(0)
  })
})
