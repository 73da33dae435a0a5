import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStorage } from '#server/db/open.ts'
import { createPostgresWakeUps } from '#server/wake/postgres-wake-ups.ts'
import { startServer } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { storageOptions } from '../support/app/storage.ts'
import { until } from '../support/until.ts'

/** Starts a proxy to PostgreSQL that can go silent: it drops all data and closes no connection. */
async function startPath(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const links = new Set<readonly [Socket, Socket]>()
  let isSilent = false
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    const link = [client, server] as const
    links.add(link)
    for (const [from, to] of [link, [server, client] as const]) {
      from.on('error', () => {})
      from.on('close', () => to.destroy())
      if (!isSilent) from.pipe(to)
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    for (const socket of [...links].flat()) socket.destroy()
    proxy.close()
  })
  const url = new URL(databaseUrl)
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    url: url.href,
    /** Silences the current connections, and with `all` also new ones. */
    silence(all: boolean) {
      isSilent = all
      for (const link of links) {
        for (const socket of link) socket.unpipe().pause()
      }
    },
    recover: () => {
      isSilent = false
    },
  }
}

async function start() {
  const { dataFolder, databaseUrl = '' } = await storageOptions('postgres')
  const path = await startPath(databaseUrl)
  return { path, databaseUrl, options: { dataFolder, databaseUrl: path.url } }
}

const SECONDS = 15

describe('a server whose connections to PostgreSQL go silent', () => {
  it.each([
    ['and new ones work', false],
    ['and new ones too, until the network is back', true],
  ])('%s: responds with 503, then works again', async (_, all) => {
    const { path, options } = await start()
    const server = await startServer({
      HEDGEROW_DATA: options.dataFolder,
      DATABASE_URL: options.databaseUrl,
    })
    const create = () => server.call(OWNER.apiKey, 'dashboards', 'POST', { name: 'A' })
    expect((await create()).status).toBe(201)

    path.silence(all)
    const { status, body } = await create()
    path.recover()

    expect([status, body.code]).toEqual([503, 'unavailable'])
    await until(async () => (await create()).status === 201, SECONDS)
  })

  it('keeps waiting for a query that PostgreSQL is still running', async () => {
    const { options } = await start()
    const { db, close } = await openStorage(options)
    onTestFinished(close)

    const { rows } = await sql`select pg_sleep(8), 1 as done`.execute(db)

    expect(rows).toMatchObject([{ done: 1 }])
  })

  it('receives wake-ups again', async () => {
    const { path, databaseUrl, options } = await start()
    const { db, close } = await openStorage({ ...options, databaseUrl })
    onTestFinished(close)
    const [near, far] = [databaseUrl, options.databaseUrl].map((url) =>
      createPostgresWakeUps(url, db),
    )
    onTestFinished(async () => void (await Promise.all([near?.close(), far?.close()])))
    let wakeUps = 0
    far?.listen(() => wakeUps++)
    const wake = async () => {
      const before = wakeUps
      near?.notify()
      await new Promise((resolve) => setTimeout(resolve, 100))
      return wakeUps > before
    }
    await until(wake)

    path.silence(false)

    await until(wake, SECONDS)
  })
})
