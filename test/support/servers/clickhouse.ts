import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { connectToClickHouse } from '#server/analytics/clickhouse/connection.ts'
import type { ClickHouseSettings } from '#server/db/open.ts'

const FOLDER = new URL('../../clickhouse/', import.meta.url)

export interface ClickHouse {
  /** `http://user:password@host:port`. */
  readonly url: string
  stop(): Promise<void>
}

let created = 0

/** Creates a database and returns the settings of a store in it. */
export async function createClickHouseDatabase(url: string): Promise<ClickHouseSettings> {
  const { host, username, password } = new URL(url)
  const cluster = process.env.CLICKHOUSE_TEST_CLUSTER
  const database = `test_${process.pid}_${Date.now()}_${++created}`
  const address = `clickhouse://${username || 'default'}:${password}@${host}`
  const server = connectToClickHouse({ url: `${address}/default`, cluster })
  await server.run(`create database ${database} ${server.layout.onCluster}`)
  await server.close()
  return { url: `${address}/${database}`, cluster, keysDays: 0, maxWaitingMb: 1024 }
}

/** Tells whether there is a server, or the engine, which `npm ci --prefix test/clickhouse` installs. */
export const hasClickHouse = (): boolean =>
  Boolean(process.env.CLICKHOUSE_TEST_URL) || existsSync(new URL('node_modules/chdb-wasm/', FOLDER))

/** Uses the server of `CLICKHOUSE_TEST_URL`, otherwise starts ClickHouse's engine, which ends with this process. */
export async function startClickHouse(): Promise<ClickHouse> {
  const given = process.env.CLICKHOUSE_TEST_URL
  if (given) return { url: given, stop: async () => {} }
  const server = spawn(process.execPath, ['server.mjs'], {
    cwd: FOLDER,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(server, 'exit')
  const port = await Promise.race([
    once(createInterface(server.stdout), 'line').then(([line]) => String(line)),
    ended.then(() => Promise.reject(new Error('ClickHouse did not start.'))),
  ])
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.stdin.end()
      await ended
    },
  }
}
