import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'

const FOLDER = new URL('../../clickhouse/', import.meta.url)

export interface ClickHouse {
  /** `http://user:password@host:port`. */
  readonly url: string
  stop(): Promise<void>
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
