import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { toEnv, watchServer } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { storageOptions } from '../support/app/storage.ts'
import { until } from '../support/until.ts'

const SERVER = fileURLToPath(new URL('./runaway-server.ts', import.meta.url))
const SELECT = { query: { kind: 'HogQLQuery', query: 'select 1 + 1' } }

describe.each(['sqlite', 'postgres'] as const)('a statement that %s cannot stop', (database) => {
  it('is counted and left alone; others run, and SIGTERM ends the server', async () => {
    const options = await storageOptions(database)
    const env = {
      PATH: process.env.PATH,
      TMPDIR: process.env.TMPDIR,
      HEDGEROW_PORT: '0',
      ...toEnv(options),
    }
    const server = await watchServer(spawn(process.execPath, [SERVER], { env }))
    expect((await server.call(OWNER.apiKey, 'query', 'POST', SELECT)).status).toBe(200)

    const stopped = await server.call(OWNER.apiKey, '/unstoppable', 'POST')

    expect(stopped).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining('could not be stopped') },
    })
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toMatch(/^hedgerow_runaway_statements 1$/m)
    expect(metrics).toMatch(/^hedgerow_runaway_statements_total 1$/m)
    expect(server.stderr()).toContain('did not end when it was stopped')
    const other = { query: { ...SELECT.query, query: 'select 1 + 2' } }
    expect((await server.call(OWNER.apiKey, 'query', 'POST', other)).status).toBe(200)
    expect(await server.stop()).toBe(0)
    if (options.databaseUrl) await waitForBackends(options.databaseUrl)
  }, 500_000)
})

/** Waits until PostgreSQL has ended what it could not stop, so that the database can be dropped. */
async function waitForBackends(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await until(async () => {
    const { rows } = await client.query(
      'select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    return rows.length === 0
  }, 300)
  await client.end()
}
