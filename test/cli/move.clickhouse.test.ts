import { once } from 'node:events'
import { describe, expect, inject, it } from 'vitest'
import { openEventStore } from '#server/analytics/open.ts'
import { openStorage, type StorageOptions } from '#server/db/open.ts'
import { launch, runHedgerow, startServer, toEnv } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { emptyStorage, storageOptions } from '../support/app/storage.ts'
import { backUp, fill, readContent, temporaryFolder } from '../support/data/backups.ts'
import { ALL } from '../support/data/events.ts'
import { createClickHouseDatabase } from '../support/servers/clickhouse.ts'
import { startFaultyProxy } from '../support/servers/faulty-proxy.ts'

async function readEvents(options: StorageOptions): Promise<unknown[]> {
  const { db, close } = await openStorage(options)
  const events = openEventStore({ ...options, db })
  try {
    return await events.list(1, ALL)
  } finally {
    await events.close()
    await close()
  }
}

/** Fills a data folder, and prepares an empty PostgreSQL database and one of ClickHouse behind a proxy. */
async function start() {
  const source = await storageOptions('sqlite')
  await fill(source)
  const proxy = await startFaultyProxy(inject('clickhouseUrl'))
  const clickHouse = await createClickHouseDatabase(inject('clickhouseUrl'))
  const { databaseUrl = '' } = await emptyStorage('postgres')
  const eventsUrl = clickHouse.url.replace(/@[^/]+/, `@${proxy.host}`)
  return {
    source,
    proxy,
    target: { ...source, databaseUrl, clickHouse },
    args: ['move', '--to', databaseUrl, '--events-to', eventsUrl],
  }
}

describe('hedgerow move --events-to', () => {
  it('moves the events to ClickHouse, where a server continues', async () => {
    const { source, target, args } = await start()
    const before = await readEvents(source)

    const moved = await runHedgerow(args, toEnv(source))
    const server = await startServer(toEnv(target))
    const { body } = await server.call(OWNER.apiKey, 'events?limit=100')

    expect(moved.code, moved.stderr).toBe(0)
    expect(moved.stdout).toContain('EVENTS_URL')
    expect(body.results).toHaveLength(3)
    await server.stop()
    expect(await readEvents(target)).toEqual(before)
  })

  it('continues after the events that it had moved when it was killed', async () => {
    const { source, target, args, proxy } = await start()
    const before = await readEvents(source)
    const first = launch(args, toEnv(source))
    const ended = once(first, 'exit')
    proxy.decide((statement) => {
      if (/^insert into event_store/i.test(statement)) first.kill('SIGKILL')
      return 'pass'
    })
    await ended
    let inserts = 0
    proxy.decide((statement) => {
      if (/^insert into events\b/i.test(statement)) inserts++
      return 'pass'
    })

    const again = await runHedgerow(args, toEnv(source))

    expect(again.code, again.stderr).toBe(0)
    expect(inserts).toBe(0)
    expect(await readEvents(target)).toEqual(before)
  })

  it('is refused if ClickHouse has events', async () => {
    const { source, args } = await start()
    await runHedgerow(args, toEnv(source))
    const { databaseUrl = '' } = await emptyStorage('postgres')

    const second = await runHedgerow(args.with(2, databaseUrl), toEnv(source))

    expect(second.code).toBe(1)
    expect(second.stderr).toMatch(/The event store \(ClickHouse at .*\) is not empty\./)
  })

  it('moves back, and a backup has the same content', async () => {
    const { source, target, args } = await start()
    const content = await readContent(await backUp(source, '--with-key'))
    const folder = await temporaryFolder()

    expect((await runHedgerow(args, toEnv(source))).code).toBe(0)
    expect(await readContent(await backUp(target, '--with-key'))).toEqual(content)
    const back = await runHedgerow(['move', '--to', `${folder}/new`], toEnv(target))

    expect(back.code, back.stderr).toBe(0)
    const moved = { dataFolder: `${folder}/new`, databaseUrl: undefined }
    expect(await readContent(await backUp(moved, '--with-key'))).toEqual(content)
  })
})
