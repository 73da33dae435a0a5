import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { hasNativeEngine, startEngine } from './clickhouse.ts'

// The engines of the tests must behave as a server does, so these tests also run with `CLICKHOUSE_TEST_URL`.

const connect = (url: string): ClickHouseClient => {
  const client = createClient({
    url,
    request_timeout: 300_000,
    log: { level: ClickHouseLogLevel.OFF },
  })
  onTestFinished(() => client.close())
  return client
}

let lastTable = 0

async function createTable(client: ClickHouseClient): Promise<string> {
  lastTable += 1
  const table = `fixture_${process.pid}_${lastTable}`
  await client.command({
    query: `create table ${table} (id Int64, name String) engine = MergeTree partition by id % 10 order by id
      settings non_replicated_deduplication_window = 100`,
  })
  onTestFinished(
    async () => void (await client.command({ query: `drop table if exists ${table} sync` })),
  )
  return table
}

async function readRows(client: ClickHouseClient, query: string): Promise<unknown[]> {
  const result = await client.query({ query, format: 'JSONCompactEachRow' })
  return result.json()
}

const insertRows = (client: ClickHouseClient, table: string, insert_deduplication_token: string) =>
  client.insert({
    table,
    columns: ['id', 'name'],
    values: [
      { id: 1, name: 'é' },
      { id: 2, name: "a\t'b'\\" },
    ],
    format: 'JSONEachRow',
    clickhouse_settings: { insert_deduplication_token, async_insert: 0 },
  })

describe('ClickHouse', () => {
  it('stores a batch once for each token', async () => {
    const client = connect(inject('clickhouseUrl'))
    const table = await createTable(client)

    for (const token of ['first', 'first', 'second']) await insertRows(client, table, token)

    expect(
      await readRows(client, `select id, name, count() from ${table} group by all order by id`),
    ).toEqual([
      [1, 'é', 2],
      [2, "a\t'b'\\", 2],
    ])
  })

  it('inserts streamed and compressed data of any format', async () => {
    const url = inject('clickhouseUrl')
    const client = createClient({ url, compression: { request: true, response: true } })
    onTestFinished(() => client.close())
    const table = await createTable(client)
    await client.insert({
      table,
      values: Readable.from(['3\tc\n', '4\td\n'], { objectMode: false }),
      format: 'TabSeparated',
    })
    const { stream } = await client.exec({
      query: `select id + 10 as id, name from ${table} format Native`,
    })

    await client.exec({ query: `insert into ${table} (id, name) format Native`, values: stream })

    expect(await readRows(client, `select id from ${table} order by id`)).toEqual([
      [3],
      [4],
      [13],
      [14],
    ])
  })

  it('changes and deletes rows before it responds', async () => {
    const client = connect(inject('clickhouseUrl'))
    const table = await createTable(client)
    await insertRows(client, table, 'first')

    await client.command({
      query: `alter table ${table} update name = 'new' where id = 1`,
      clickhouse_settings: { mutations_sync: '2' },
    })
    await client.command({
      query: `delete from ${table} where id = 2`,
      clickhouse_settings: { lightweight_deletes_sync: '2' },
    })

    expect(await readRows(client, `select * from ${table}`)).toEqual([[1, 'new']])
  })

  it('applies settings to one statement', async () => {
    const client = connect(inject('clickhouseUrl'))
    const table = await createTable(client)
    const drop = `drop table ${table}`

    await expect(
      client.command({ query: drop, clickhouse_settings: { readonly: '2' } }),
    ).rejects.toMatchObject({ type: 'READONLY' })

    await insertRows(client, table, 'first')
  })

  it.each([
    ['select * from no_such_table', {}, 404, '60'],
    ['select no_such_column', {}, 404, '47'],
    ['select 1', { no_such_setting: '1' }, 404, '115'],
    ['select 1', { database: 'no_such_database' }, 404, '81'],
    ['select 1 from', {}, 400, '62'],
    ["select toInt64('a')", {}, 400, '6'],
    ["select throwIf(1, 'no')", {}, 500, '395'],
    [
      'select count() from numbers(1e15) where sipHash64(number) = 1',
      { max_execution_time: '1' },
      408,
      '159',
    ],
  ])('refuses %s %o with %i', async (body, settings, status, code) => {
    const { origin, username, password } = new URL(inject('clickhouseUrl'))
    const headers = { authorization: `Basic ${btoa(`${username || 'default'}:${password}`)}` }

    const response = await fetch(`${origin}/?${new URLSearchParams(settings)}`, {
      method: 'POST',
      body,
      headers,
    })

    expect([response.status, response.headers.get('x-clickhouse-exception-code')]).toEqual([
      status,
      code,
    ])
    expect(await response.text()).toMatch(`Code: ${code}. DB::Exception: `)
  })
})

describe.runIf(hasNativeEngine())('chdb', () => {
  it('has its data and tokens after a kill', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hedgerow-chdb-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const first = await startEngine({ folder })
    const client = connect(first.url)
    await client.command({
      query: `create table kept (id Int64, name String) engine = MergeTree order by id settings non_replicated_deduplication_window = 100`,
    })
    await insertRows(client, 'kept', 'first')
    await first.kill()

    const second = await startEngine({ folder, port: first.port })
    onTestFinished(second.stop)

    await insertRows(client, 'kept', 'first')
    expect(await readRows(client, 'select count() from kept')).toEqual([[2]])
  })

  it('kills a running query by its ID', async () => {
    const engine = await startEngine()
    onTestFinished(engine.stop)
    const client = connect(engine.url)
    const query_id = 'to-be-killed'
    const query = 'select count() from numbers(1e15) where sipHash64(number) = 1'
    const slow = client.command({ query, query_id }).catch((error) => error)
    const running = () =>
      readRows(client, `select query_id from system.processes where query_id = '${query_id}'`)
    await expect.poll(running).toEqual([[query_id]])

    await client.command({ query: `kill query where query_id = '${query_id}' sync` })

    expect(await slow).toMatchObject({ type: 'QUERY_WAS_CANCELLED' })
  })
})
