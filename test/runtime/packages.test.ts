import { describe, expect, inject, it } from 'vitest'
import { compileApp } from '#server/runtime/compile.ts'
import { databasesAt } from '../support/servers/postgres.ts'
import { createSpec, EVERY_MINUTE, recordServices, run, runBody, startRuntime } from './apps.ts'

/** Runs an app's `runEveryMinute` once. */
async function runApp(source: string, config = {}, options = {}) {
  const services = recordServices()
  const outcome = await run(
    startRuntime(options),
    await createSpec(source, { config }),
    services,
    EVERY_MINUTE,
  )
  return { outcome, messages: services.messages() }
}

describe('@posthog/plugin-contrib', () => {
  it('flushes a buffer at its limit and at the end of the run', async () => {
    const { outcome, messages } = await runApp(`
      import { createBuffer } from '@posthog/plugin-contrib'
      export function setupPlugin({ global }) {
        global.buffer = createBuffer({ limit: 2, onFlush: async (all, points) => console.log(all, points) })
      }
      export function runEveryMinute({ global }) {
        for (const n of [1, 2, 3]) global.buffer.add(n)
        global.buffer.add(4, 5)
        console.log('end')
      }`)

    expect(outcome).toEqual({ ended: 'succeeded' })
    expect(messages).toEqual(['[1,2] 2', '[3] 1', '[4] 5', 'end'])
  })

  it('fails the run if a flush fails', async () => {
    const { outcome } = await runApp(`
      const { createBuffer } = require('@posthog/plugin-contrib')
      export function runEveryMinute() {
        createBuffer({ onFlush: async () => { throw new Error('no room') } }).add(1)
      }`)

    expect(outcome).toMatchObject({ ended: 'failed', by: 'app', message: 'no room' })
  })
})

describe('pg', () => {
  async function createDatabase() {
    const databases = databasesAt(inject('postgresPort'))
    return new URL(databases.url(await databases.createDatabase()))
  }
  const options = { allowedHosts: ['127.0.0.1', 'localhost'] }

  it('reads with a client and a pool', async () => {
    const url = await createDatabase()
    const fields = {
      ...{ host: url.hostname, port: Number(url.port), database: url.pathname.slice(1) },
      ...{ user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
    }
    const { outcome, messages } = await runApp(
      `import pg, { Client } from 'pg'
      export async function runEveryMinute({ config }) {
        const client = new Client(config.fields)
        await client.connect()
        const { rows, rowCount } = await client.query('select $1::int as n', [7])
        console.log(rows[0].n, rowCount)
        await client.end()
        const pool = new pg.Pool({ connectionString: config.url })
        const other = await pool.connect()
        console.log((await other.query({ text: 'select $1::text as t', values: ['x'] })).rows[0].t)
        other.release()
      }`,
      { fields, url: url.href },
      options,
    )

    expect(outcome).toEqual({ ended: 'succeeded' })
    expect(messages).toEqual(['7 1', 'x'])
  })

  it('cannot write or reach private hosts', async () => {
    const url = await createDatabase()
    const source = `const { Client } = require('pg')
      export const runEveryMinute = ({ config }) =>
        new Client(config.url).query('create table t (a int)')`

    const written = await runApp(source, { url: url.href }, options)
    const reached = await runApp(source, { url: url.href })

    expect(written.outcome).toMatchObject({ message: expect.stringContaining('read-only') })
    expect(reached.outcome).toMatchObject({
      message: 'FetchError: Internal hostname: 127.0.0.1',
    })
  })
})

describe('errors of requests', () => {
  it('name the host', async () => {
    const { outcome } = await runBody(`await fetch('https://api.shop.invalid/orders')`)

    expect(outcome).toMatchObject({ message: 'FetchError: Invalid hostname: api.shop.invalid' })
  })
})

describe('TypeScript in index.js', () => {
  it('is compiled', async () => {
    const files = {
      'index.js': `import { double } from './lib.js'
        interface A { readonly n: number }
        export const runEveryMinute = ({ config }: { config: A }) => console.log(double(config.n))`,
      'lib.js': 'export const double = (n: number): number => 2 * n',
    }
    const services = recordServices()

    await run(startRuntime(), await createSpec(files, { config: { n: 4 } }), services, EVERY_MINUTE)

    expect(services.messages()).toEqual(['8'])
  })

  it('is refused with the first problem if it is neither', async () => {
    const compiling = compileApp({ 'index.js': 'const a: = 1' }, 'index.js')

    await expect(compiling).rejects.toThrow(/^\/index\.js: Expected .*\(1:7\)/)
  })

  it('does not change JavaScript that TypeScript would read differently', async () => {
    const code = 'const a = 1, b = 2, c = 3\nexports.runEveryDay = () => (a < b > (c))'

    const script = await compileApp({ 'index.js': code }, 'index.js')

    expect(script).toContain('a < b > c')
  })
})
