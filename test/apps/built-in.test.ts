import pg from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { readBuiltInApps } from '#server/features/import-apps/plugins/built-in.ts'
import type { CapturedEvent } from '#server/runtime/contract.ts'
import { eventually, recordServices, startRuntime, startServer } from '../runtime/apps.ts'
import { databasesAt } from '../support/servers/postgres.ts'
import { attached, startBuiltIn } from './run-app.ts'

const SUCCEEDED = { ended: 'succeeded' }

const listDistinctIds = (events: readonly CapturedEvent[]) =>
  events.map(({ distinct_id }) => distinct_id)
const idsOf = (events: readonly CapturedEvent[]) => new Set(events.map(({ uuid }) => uuid))

describe('the built-in apps in the real runtime', () => {
  it('export the capabilities in their records', async () => {
    const runtime = startRuntime()

    for (const { row, compile } of await readBuiltInApps()) {
      const described = await runtime.describe(await compile())

      expect(described, row.name).toEqual(JSON.parse(row.capabilities))
    }
  })

  it.each([
    ['HTTP JSON', JSON.stringify([{ id: 1, distinct_id: 'p1', timestamp: '2024-01-01' }])],
    ['CSV', 'distinct_id,timestamp\np1,2024-01-01\n'],
  ])('%s requests a response again that breaks off', async (name, body) => {
    const server = await startServer((request, response) => {
      response.setHeader('content-length', body.length)
      if (server.requests.length > 1) response.end(body)
      else response.write(body.slice(0, 20), () => request.socket.destroy())
    })
    const { runJob, recorded } = await startBuiltIn(name, { config: { url: server.origin } })

    expect(await runJob()).toEqual(SUCCEEDED)

    expect(listDistinctIds(recorded.events)).toEqual(['p1'])
    expect(recorded.messages()[0]).toBe(
      `${server.origin}/ broke off after 20 bytes (other side closed). Retrying in 1 s.`,
    )
  })

  it('HTTP JSON reads pages, waits for the rate limit, and stores events', async () => {
    let isBusy = true
    const server = await startServer((request, response) => {
      if (isBusy) {
        isBusy = false
        response.writeHead(429, { 'retry-after': '0' }).end('slow down')
        return
      }
      const page = Number(new URL(request.url ?? '', 'http://a').searchParams.get('page') ?? 1)
      const items =
        page > 2 ? [] : [{ id: page, user: { id: `p${page}` }, at: 1_704_067_200, n: page }]
      response.end(JSON.stringify({ data: items }))
    })
    const config = {
      url: `${server.origin}/items`,
      headers: { authorization: 'Bearer s3cret' },
      items: 'data',
      paging: 'page',
      paging_parameter: 'page',
      distinct_id_field: 'user.id',
      timestamp_field: 'at',
    }
    const { runJob, runSchedule, recorded } = await startBuiltIn('HTTP JSON', { config })

    expect(await runJob()).toEqual(SUCCEEDED)
    expect(await runSchedule()).toEqual(SUCCEEDED)

    expect(idsOf(recorded.events).size).toBe(2)
    expect(recorded.events[0]).toMatchObject({
      event: 'imported',
      distinct_id: 'p1',
      timestamp: '2024-01-01T00:00:00.000Z',
    })
    expect(JSON.parse(recorded.events[0]?.properties ?? '')).toMatchObject({ id: 1, n: 1 })
    expect(server.requests[0]?.headers.authorization).toBe('Bearer s3cret')
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/items',
      '/items',
      '/items?page=2',
      '/items?page=3',
      '/items?page=2',
      '/items?page=3',
    ])
  })

  it('HTTP JSON continues where a killed run stopped', async () => {
    let hangs = true
    const server = await startServer((request, response) => {
      const page = Number(new URL(request.url ?? '', 'http://a').searchParams.get('page') ?? 1)
      if (page === 3 && hangs) return
      const item = { id: page, distinct_id: `p${page}`, timestamp: '2024-01-01' }
      response.end(JSON.stringify(page > 3 ? [] : [item]))
    })
    const config = { url: `${server.origin}/`, paging: 'page', paging_parameter: 'page' }
    const { runJob, recorded } = await startBuiltIn('HTTP JSON', { config })
    const killing = new AbortController()
    const killed = runJob({}, killing.signal)
    await eventually(() => server.requests.length === 3)
    killing.abort()
    expect(await killed).toEqual({ ended: 'cancelled' })

    hangs = false
    expect(await runJob()).toEqual(SUCCEEDED)

    expect(listDistinctIds(recorded.events)).toEqual(['p1', 'p2', 'p3'])
    expect(server.requests.map(({ url }) => url).slice(3)).toEqual(['/?page=3', '/?page=4'])
  })

  it('HTTP JSON streams NDJSON', async () => {
    const lines = Array.from({ length: 20_000 }, (_, id) =>
      JSON.stringify({
        id,
        distinct_id: `é${id}`,
        timestamp: 1_704_067_200,
        text: 'x'.repeat(100),
      }),
    )
    const server = await startServer((_, response) => void response.end(lines.join('\n')))
    const config = { url: `${server.origin}/`, format: 'ndjson' }
    const { runJob, recorded } = await startBuiltIn('HTTP JSON', { config })

    expect(await runJob()).toEqual(SUCCEEDED)

    expect(recorded.events).toHaveLength(20_000)
    expect(recorded.events.at(-1)?.distinct_id).toBe('é19999')
  })

  it('HTTP JSON explains a failure without showing secrets', async () => {
    const server = await startServer((_, response) => {
      response.writeHead(401).end('the key s3cret-key is unknown')
    })
    const config = { url: `${server.origin}/`, headers: '{"x-key": "s3cret-key"}' }
    const { runJob } = await startBuiltIn('HTTP JSON', { config, secrets: ['s3cret-key'] })

    const outcome = await runJob()

    expect(outcome).toMatchObject({ ended: 'failed', by: 'app' })
    expect(JSON.stringify(outcome)).toContain('returned 401 Unauthorized. Response: the key ***')
  })

  it('CSV imports an attachment and a URL, each row once', async () => {
    const rows = Array.from({ length: 30_000 }, (_, index) => `p${index};2024-01-01;"a\n${index}"`)
    const text = `\ufeffdistinct_id;timestamp;note\r\n${rows.join('\r\n')}`
    const attachments = { file: attached(text) }
    const { runJob, runSchedule, recorded } = await startBuiltIn('CSV', { attachments })
    const server = await startServer((_, response) => void response.end(text))

    expect(await runJob()).toEqual(SUCCEEDED)
    expect(await runSchedule()).toEqual(SUCCEEDED)
    expect(recorded.events).toHaveLength(30_000)
    expect(await runJob({ url: `${server.origin}/a.csv` })).toEqual(SUCCEEDED)

    expect(recorded.events).toHaveLength(60_000)
    expect(idsOf(recorded.events).size).toBe(60_000)
    expect(JSON.parse(recorded.events[29_999]?.properties ?? '')).toMatchObject({
      note: 'a\n29999',
    })
    const size = Buffer.byteLength(text)
    expect(recorded.reported.at(-1)).toMatchObject({ done: size, total: size })
  })

  it('PostgreSQL table reads large batches, then only new rows', async () => {
    const databases = databasesAt(inject('postgresPort'))
    const database = await databases.createDatabase()
    onTestFinished(() => databases.dropDatabase(database))
    const client = new pg.Client({ connectionString: databases.url(database) })
    await client.connect()
    onTestFinished(() => client.end())
    const insert = (from: number, to: number) =>
      client.query(
        `insert into t select n, 'p' || n, '2024-01-01', repeat('x', 1500) from generate_series(${from}, ${to}) n`,
      )
    await client.query(
      'create table t (id bigint, distinct_id text, timestamp timestamptz, note text)',
    )
    await insert(1, 10_500)
    const config = {
      connection: databases.url(database),
      table: 't',
      cursor_column: 'id',
      batch_size: '10000',
    }
    const { runJob, runSchedule, recorded } = await startBuiltIn('PostgreSQL table', { config })

    expect(await runJob()).toEqual(SUCCEEDED)
    expect(recorded.events).toHaveLength(10_500)
    await insert(10_501, 10_502)
    expect(await runSchedule()).toEqual(SUCCEEDED)

    expect(listDistinctIds(recorded.events.slice(10_500))).toEqual(['p10501', 'p10502'])
    expect(recorded.events[0]).toMatchObject({ timestamp: '2024-01-01T00:00:00.000Z' })
  })

  it('Demo data generates the same events when it runs again', async () => {
    const { runJob, recorded } = await startBuiltIn('Demo data', { config: { events: '5000' } })

    expect(await runJob()).toEqual(SUCCEEDED)
    const first = idsOf(recorded.events)
    expect(await runJob({ events: 5000 })).toEqual(SUCCEEDED)

    expect(first.size).toBe(5000)
    expect(idsOf(recorded.events)).toEqual(first)
    expect(recorded.reported.at(-1)).toMatchObject({ done: 5000, total: 5000 })
  })

  it('Demo data continues on its schedule', async () => {
    const { runSchedule, recorded } = await startBuiltIn('Demo data', {
      config: { events: '1000000' },
    })

    expect(await runSchedule()).toEqual(SUCCEEDED)

    expect(recorded.stored.has('live')).toBe(true)
    expect(recorded.events.every(({ timestamp }) => Date.parse(timestamp) <= Date.now())).toBe(true)
  })

  it('fail when events cannot be stored', async () => {
    const services = recordServices({ capture: () => Promise.reject(new Error('disk full')) })
    const { runJob } = await startBuiltIn('Demo data', { config: { events: '50' } }, services)

    expect(await runJob()).toMatchObject({ ended: 'failed' })
    expect(services.stored.size).toBe(0)
  })
})
