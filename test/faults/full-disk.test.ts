import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { connectStorage, type StorageOptions } from '#server/db/open.ts'
import { CONFIGS } from '../support/app/app.ts'
import { COMMAND, runHedgerow, type Server, startServer, toEnv } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { emptyStorage, storageOptions } from '../support/app/storage.ts'
import { temporaryFolder } from '../support/data/backups.ts'
import { newEvent } from '../support/data/events.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)

/** Limits the size of files that the server can write, so its disk appears full, or lifts the limit. */
const limitFiles = ({ process: { pid } }: Server, bytes: number | 'unlimited') =>
  run('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])

async function start(database: 'sqlite' | 'postgres') {
  const options = await storageOptions(database)
  const server = await startServer(toEnv(options))
  const token = (await server.call(OWNER.apiKey, '')).body.api_token
  const ids: string[] = []
  /** Sends incompressible events of 7 kB and records the acknowledged ones. */
  const send = async (count: number) => {
    const batch = Array.from({ length: count }, () =>
      toEvent({ texts: Array.from({ length: 7 }, () => randomBytes(750).toString('base64')) }),
    )
    const response = await fetch(`${server.url}/batch/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: token, batch }),
    })
    if (response.status === 200) ids.push(...batch.map(({ uuid }) => uuid))
    return response
  }
  const ready = async () => {
    const response = await fetch(`${server.url}/_ready`)
    return { ...((await response.json()) as { detail?: string }), status: response.status }
  }
  const count = async () => {
    const query = { kind: 'HogQLQuery', query: 'select count() from events' }
    const { body } = await server.call(OWNER.apiKey, 'query', 'POST', { query })
    return body.results?.[0]?.[0]
  }
  return { server, send, ready, count, ids, options, folder: options.dataFolder }
}

const toEvent = (properties: object) => {
  const { uuid, event, distinct_id } = newEvent()
  return { uuid, event, distinct_id, properties }
}

const WEBHOOK = 5
const FULL = /^The disk (is full|fails), so that no/
const FULL_DISK = expect.stringMatching(FULL)

describe('a server whose disk is full', () => {
  it('reports it, keeps acknowledged events, and recovers when there is room', async () => {
    const { server, send, ready, count, ids, folder } = await start('sqlite')
    const file = join(folder, 'events.duckdb')
    await until(async () => (await send(1000)).status === 200 && (await stat(file)).size > 45e6)
    await limitFiles(server, (await stat(file)).size)

    // until the next checkpoint, which fails and ends DuckDB's use of the file
    const refused = await until(async () => {
      const response = await send(1000)
      return response.status !== 200 && response
    })

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.json()).toMatchObject({ detail: FULL_DISK })
    expect(server.stderr()).toMatch(/checkpoint(ing)? failed/i)
    await limitFiles(server, 1000)
    expect(await until(ready)).toMatchObject({ status: 503, detail: FULL_DISK })

    await limitFiles(server, 'unlimited')
    await until(async () => (await ready()).status === 200)
    await until(async () => (await send(1)).status === 200)
    // events of the failed checkpoint may be stored too
    expect(await until(count)).toBeGreaterThanOrEqual(ids.length)
  })

  it.each([
    ['has no room for the event store', () => 0],
    ['has no room for the database', (size: number) => size],
  ])('stores the first event after the disk %s', async (_, toLimit) => {
    const { server, send, ready, count, folder, options } = await start('sqlite')
    await limitFiles(server, toLimit((await stat(join(folder, 'hedgerow.db-wal'))).size))

    const refused = await send(1)

    expect([refused.status, await refused.json()]).toMatchObject([503, { detail: FULL_DISK }])
    await limitFiles(server, 'unlimited')
    expect((await send(1)).status).toBe(200)
    expect(await ready()).toMatchObject({ status: 200 })
    expect(await count()).toBe(1)
    expect(await server.stop()).toBe(0)
    await startServer(toEnv(options))
  })

  it('leaves an installation that starts if it is killed before the first event', async () => {
    const { server, send, folder, options } = await start('sqlite')
    await limitFiles(server, 0)
    expect((await send(1)).status).toBe(503)
    expect((await stat(join(folder, 'events.duckdb'))).size).toBe(0)
    await server.stop('SIGKILL')

    const again = await startServer(toEnv(options))

    expect((await again.call(OWNER.apiKey, 'dashboards')).status).toBe(200)
  })

  it('refuses requests of other services until there is room, and then takes them', async () => {
    const { server, folder } = await start('sqlite')
    const call = async (path: string, method?: string, body?: object) =>
      (await server.call(OWNER.apiKey, path, method, body)).body
    const { id } = await call(CONFIGS, 'POST', { plugin: WEBHOOK, enabled: true })
    const { path } = await call(`${CONFIGS}/${id}/address`)
    const send = () => fetch(server.url + path, { method: 'POST', body: '{"type":"paid"}' })
    await limitFiles(server, (await stat(join(folder, 'hedgerow.db-wal'))).size)

    const refused = await send()

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.json()).toMatchObject({ detail: FULL_DISK })
    await limitFiles(server, 'unlimited')
    expect((await send()).status).toBe(200)
    expect(await call(`${CONFIGS}/${id}/requests`)).toMatchObject({ count: 1 })
  })

  it('reports why a write was rolled back', async () => {
    const { server, folder } = await start('sqlite')
    await limitFiles(server, (await stat(join(folder, 'hedgerow.db-wal'))).size)

    const changes = [1, 2, 3].map((n) =>
      server.call(OWNER.apiKey, 'dashboards', 'POST', { name: `Dashboard ${n}` }),
    )

    for (const { status, body } of await Promise.all(changes)) {
      expect([status, body.detail]).toEqual([503, FULL_DISK])
    }
    await limitFiles(server, 'unlimited')
    const { status } = await server.call(OWNER.apiKey, 'dashboards', 'POST', { name: 'Again' })
    expect(status).toBe(201)
  })
})

/** Runs a command that may write no file of more than 3 MB. */
async function runLimited(args: readonly string[], { dataFolder }: StorageOptions) {
  const env = { PATH: process.env.PATH, HEDGEROW_DATA: dataFolder }
  const limited = ['--fsize=3000000', process.execPath, COMMAND, ...args]
  const ended = await run('prlimit', limited, { env }).catch((error) => error)
  return { code: ended.code, last: ended.stderr.trimEnd().split('\n').at(-1) }
}

describe('a command whose disk is full', () => {
  it.each(['beside a server', 'without one'])('says so in one sentence, %s', async (place) => {
    const { server, send, options, folder } = await start('sqlite')
    expect((await send(900)).status).toBe(200)
    const backup = join(await temporaryFolder(), 'whole.tar')
    const target = await emptyStorage('sqlite')
    if (place === 'without one') await server.stop()
    const { code, stderr } = await runHedgerow(['backup', backup, '--with-key'], toEnv(options))
    expect(code, stderr).toBe(0)

    const backedUp = await runLimited(['backup', join(folder, 'cut.tar')], options)
    const restored = await runLimited(['restore', backup], target)

    const tooLarge = /^hedgerow: (.*: )?A file would become larger than its limit\. Check .*\.$/
    expect(backedUp).toEqual({ code: 1, last: expect.stringMatching(tooLarge) })
    expect(restored).toEqual({ code: 1, last: expect.stringMatching(tooLarge) })
    expect(await readdir(target.dataFolder)).not.toContain('restore.tmp')
  })
})

/** Makes PostgreSQL refuse to store events and dashboards, with the error of a full disk. */
const FILL = `
  create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
  create trigger full_disk before insert on events for each row execute function refuse();
  create trigger full_disk before insert on dashboards for each row execute function refuse()`
const MAKE_ROOM = 'drop function refuse cascade'

async function execute(options: StorageOptions, text: string): Promise<void> {
  const { db, close } = await connectStorage(options)
  await sql.raw(text).execute(db)
  await close()
}

describe('a server whose PostgreSQL has a full disk', () => {
  it('reports it, keeps acknowledged events, and recovers when there is room', async () => {
    const { server, send, count, ids, options } = await start('postgres')
    expect((await send(10)).status).toBe(200)
    await execute(options, FILL)

    const refused = await send(10)
    const created = await server.call(OWNER.apiKey, 'dashboards', 'POST', { name: 'New' })

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.json()).toMatchObject({ detail: FULL_DISK })
    expect([created.status, created.body.detail]).toEqual([503, FULL_DISK])
    await execute(options, MAKE_ROOM)
    expect((await send(10)).status).toBe(200)
    expect(await count()).toBe(ids.length)
  })
})
