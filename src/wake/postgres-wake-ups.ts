import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../db/schema.ts'
import { createLocalWakeUps, type WakeUps } from './wake-ups.ts'

const CHANNEL = 'hedgerow_runs'
const RECONNECT_AFTER_MS = 1000

/** Across every server and worker, by NOTIFY. The listening connection comes back by itself when it is lost. */
export function createPostgresWakeUps(url: string, db: Db): WakeUps {
  const local = createLocalWakeUps()
  let client: pg.Client | undefined
  let closed = false
  let connecting: Promise<void> | undefined

  const connect = async (): Promise<void> => {
    while (!closed) {
      const next = new pg.Client({ connectionString: url, application_name: 'hedgerow wake' })
      const lost = new Promise<void>((resolve) => {
        next.on('error', () => resolve())
        next.on('end', () => resolve())
      })
      next.on('notification', () => local.notify())
      try {
        await next.connect()
        await next.query(`listen ${CHANNEL}`)
        client = next
        local.notify() // something may have been said while nobody listened
        await lost
      } catch {
        // the same as a connection that was lost: workers look by themselves meanwhile
      }
      client = undefined
      await next.end().catch(() => {})
      if (!closed) await sleep(RECONNECT_AFTER_MS)
    }
  }

  return {
    notify() {
      local.notify()
      sql`select pg_notify(${CHANNEL}, '')`.execute(db).catch(() => {}) // only saves a wait
    },
    listen(listener) {
      connecting ??= connect()
      return local.listen(listener)
    },
    async close() {
      closed = true
      await local.close()
      await client?.end().catch(() => {})
      await connecting
    },
  }
}
