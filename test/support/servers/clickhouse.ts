import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { connectToClickHouse } from '#server/analytics/clickhouse/connection.ts'
import type { ClickHouseSettings } from '#server/db/open.ts'

const FOLDER = fileURLToPath(new URL('../../clickhouse/', import.meta.url))

export interface ClickHouse {
  /** `http://user:password@host:port`. */
  readonly url: string
  stop(): Promise<void>
}

/** A ClickHouse engine in a process of its own. */
export interface ClickHouseEngine extends ClickHouse {
  readonly port: number
  readonly pid: number
  readonly name: 'chdb' | 'chdb-wasm'
  /** Ends the process as a crash would. */
  kill(): Promise<void>
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

/** Tells whether there is a server, or an engine, which `npm run clickhouse:install` installs. */
export const hasClickHouse = (): boolean =>
  Boolean(process.env.CLICKHOUSE_TEST_URL) || existsSync(`${FOLDER}node_modules/chdb-wasm`)

/**
 * Tells whether the installed engine is chdb, which keeps data in a folder and runs statements in parallel. chdb-wasm
 * does neither, is slower, has no EXCHANGE TABLES, and writes 1e300 as 1e30.
 */
export const hasNativeEngine = (): boolean =>
  globSync(`${FOLDER}node_modules/@chdb/lib-*`).length > 0

/** Tells whether this run compares ClickHouse as chdb-wasm, in which `select toString(1e300)` returns 1e30. */
export const cutsExponents = (): boolean =>
  Boolean(process.env.TEST_CLICKHOUSE) && !process.env.CLICKHOUSE_TEST_URL && !hasNativeEngine()

/** Uses the server of `CLICKHOUSE_TEST_URL`, otherwise starts an engine, which ends with this process. */
export async function startClickHouse(): Promise<ClickHouse> {
  const given = process.env.CLICKHOUSE_TEST_URL
  return given ? { url: given, stop: async () => {} } : startEngine()
}

/** Starts an engine. With a folder and the port of an earlier one, it continues with its data: `hasNativeEngine()`. */
export async function startEngine(
  options: { readonly folder?: string; readonly port?: number } = {},
): Promise<ClickHouseEngine> {
  const server = spawn(
    process.execPath,
    ['server.mjs', options.folder ?? '', String(options.port ?? 0)],
    { cwd: FOLDER, stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const ended = once(server, 'exit')
  const [port, name] = await Promise.race([
    once(createInterface(server.stdout), 'line').then(([line]) => line.split(' ')),
    ended.then(() => Promise.reject(new Error('ClickHouse did not start.'))),
  ])
  return {
    url: `http://127.0.0.1:${port}`,
    port: Number(port),
    pid: server.pid as number,
    name,
    async stop() {
      server.stdin.end()
      await ended
    },
    async kill() {
      server.kill('SIGKILL')
      await ended
    },
  }
}
