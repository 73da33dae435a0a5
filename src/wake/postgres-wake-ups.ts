import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../db/schema.ts'
import { createLocalWakeUps, type WakeUps } from './wake-ups.ts'

const CHANNEL = 'hedgerow_runs'
const RECONNECT_AFTER_MS = 1000
const HEARTBEAT_MS = 4000
const RESPONSE_TIMEOUT_MS = 4000

/** Reaches every server and worker of the database with NOTIFY. Reconnects after a lost connection. */
export function createPostgresWakeUps(url: string, db: Db): WakeUps {
  const local = createLocalWakeUps()
  let client: pg.Client | undefined
  let closed = false
  let connecting: Promise<void> | undefined

  const connect = async (): Promise<void> => {
    while (!closed) {
      const next = new pg.Client({
        connectionString: url,
        application_name: 'hedgerow wake',
        connectionTimeoutMillis: RESPONSE_TIMEOUT_MS,
        query_timeout: RESPONSE_TIMEOUT_MS,
      })
      const lost = new Promise<void>((resolve) => {
        next.on('error', () => resolve())
        next.on('end', () => resolve())
      })
      next.on('notification', () => local.notify())
      try {
        await next.connect()
        await next.query(`listen ${CHANNEL}`)
        client = next
        local.notify() // a wake-up may have been missed before
        await Promise.race([lost, failedHeartbeat(next)])
      } catch {
        // handled like a lost connection: workers poll meanwhile
      }
      client = undefined
      destroy(next)
      if (!closed) await sleep(RECONNECT_AFTER_MS)
    }
  }

  return {
    notify() {
      local.notify()
      sql`select pg_notify(${CHANNEL}, '')`.execute(db).catch(() => {}) // a lost wake-up costs one poll
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

/** Resolves when the connection no longer responds, which nothing else would notice because it only listens. */
async function failedHeartbeat(client: pg.Client): Promise<void> {
  try {
    for (;;) {
      await sleep(HEARTBEAT_MS, undefined, { ref: false })
      await client.query('select 1')
    }
  } catch {
    // closed, or silent for longer than its timeout
  }
}

/** Closes the socket without PostgreSQL's goodbye, which a silent connection would never send. */
function destroy(client: pg.Client): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}
