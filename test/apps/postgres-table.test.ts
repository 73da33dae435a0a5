import pg from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { POSTGRES } from '../../apps/postgres-table/table.ts'
import { importRows } from '../../apps/table/import.ts'
import { databasesAt } from '../support/servers/postgres.ts'
import { createFakeApp, temporaryError } from './fake-app.ts'

const URL_ = 'postgres://u:p@db.example.com/shop'

/** Creates a database with these tables, and an app that reads it. */
async function start(config: Record<string, unknown>, ...statements: string[]) {
  const databases = databasesAt(inject('postgresPort'))
  const name = await databases.createDatabase()
  onTestFinished(() => databases.dropDatabase(name))
  const client = new pg.Client({ connectionString: databases.url(name) })
  await client.connect()
  onTestFinished(() => client.end())
  const execute = async (sql: string, params: readonly unknown[] = []) =>
    (await client.query(sql, [...params])).rows
  for (const statement of statements) await execute(statement)
  const settings = { connection: URL_, table: 'orders', cursor_column: 'id', ...config }
  const fake = createFakeApp({ config: settings, query: execute })
  return {
    ...fake,
    execute,
    import: (payload: unknown = {}) => importRows(fake.app, POSTGRES, payload),
  }
}

const ORDERS = `create table orders (id integer, distinct_id text, timestamp timestamptz)`
const insert = (from: number, to: number, id = 'n') =>
  `insert into orders select ${id}, 'p' || n, '2024-01-01' from generate_series(${from}, ${to}) n`

const listDistinctIds = ({ events }: { events: () => { distinct_id: string }[] }) =>
  events()
    .map(({ distinct_id }) => Number(distinct_id.slice(1)))
    .sort((a, b) => a - b)
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

const USERS = `create table users (id integer primary key, distinct_id text, name text, plan text,
  updated_at timestamptz not null)`
const VERSIONS = {
  ...{ table: 'users', cursor_column: 'updated_at', timestamp_column: 'updated_at' },
  ...{ key_columns: ' id ', person_columns: 'name, plan', batch_size: '2' },
}

describe('the PostgreSQL table app with updates', () => {
  const listVersions = ({ events }: Awaited<ReturnType<typeof start>>) =>
    events().map(({ distinct_id, timestamp, properties }) => [
      distinct_id,
      timestamp.slice(8, 10),
      properties.$set,
    ])

  it('imports each changed version of a row once, with the properties of its person', async () => {
    const app = await start(
      VERSIONS,
      USERS,
      `insert into users select n, 'p' || n, 'N' || n, 'free', '2025-01-01' from generate_series(1, 3) n`,
    )
    await app.import()
    await app.execute(
      `update users set plan = 'pro', name = null, updated_at = '2025-01-02' where id = 2`,
    )
    await app.import()
    await app.import()

    expect(listVersions(app)).toHaveLength(4)
    expect(listVersions(app).at(-1)).toEqual(['p2', '02', { name: null, plan: 'pro' }])
  })

  it('imports no version again because the table has a new column', async () => {
    const app = await start(
      VERSIONS,
      USERS,
      `insert into users values (1, 'p', 'N', 'free', '2025-01-01')`,
    )
    await app.import()
    await app.execute(`alter table users add column city text default 'Bern'`)

    await app.import({ from_start: true })

    expect(app.events()).toHaveLength(1)
  })

  it('finds versions that share the last value of the cursor, whenever they are committed', async () => {
    const app = await start(
      VERSIONS,
      USERS,
      `insert into users select n, 'p' || n, 'N', 'free', '2025-01-01' from generate_series(1, 5) n`,
    )
    await app.import()
    await app.execute(`insert into users values (6, 'p6', 'N', 'free', '2025-01-01')`)
    await app.import()

    expect(
      app
        .events()
        .map(({ distinct_id }) => distinct_id)
        .toSorted(),
    ).toEqual([...['p1', 'p2', 'p3', 'p4', 'p5', 'p6']])
    expect(app.counts.captured).toBe(6)
  })

  it.each([
    ['key_columns', 'Set "Key columns" to one of them'],
    ['person_columns', 'Set "Person properties" to one of them'],
  ])('names the setting if a column of %s is missing', async (key, message) => {
    const app = await start({ ...VERSIONS, [key]: 'id,nowhere' }, USERS)

    await expect(app.import()).rejects.toThrow(message)
  })
})

describe('the PostgreSQL table app', () => {
  it('imports the rows in batches, then only the new ones', async () => {
    const app = await start({ batch_size: '3' }, ORDERS, insert(1, 10))
    await app.import()
    expect(listDistinctIds(app)).toEqual(upTo(10))

    await app.execute(insert(11, 12))
    await app.import()

    expect(app.counts.captured).toBe(12)
    expect(listDistinctIds(app)).toEqual(upTo(12))
  })

  it('imports every row with the same cursor value, whatever the batch size', async () => {
    for (const batch_size of [1, 2, 7, 50]) {
      const app = await start({ batch_size }, ORDERS, insert(1, 120, 'n / 40'))

      await app.import()

      expect(listDistinctIds(app)).toEqual(upTo(120))
    }
  })

  it('finds new rows with the last cursor value', async () => {
    const app = await start({}, ORDERS, insert(1, 3, '7'))
    await app.import()

    await app.execute(insert(4, 5, '7'))
    await app.import()

    expect(app.counts.captured).toBe(5)
    expect(listDistinctIds(app)).toEqual(upTo(5))
  })

  it('stores no row twice, even if it reads many ties or the whole table again', async () => {
    const app = await start({}, ORDERS, insert(1, 300, '7'))
    await app.import()
    await app.import()

    await app.import({ from_start: true })

    expect(app.counts.captured).toBeGreaterThan(300)
    expect(app.events()).toHaveLength(300)
  })

  it('continues after the last stored batch', async () => {
    const app = await start({ batch_size: '2' }, ORDERS, insert(1, 4))
    await app.import()
    await app.execute(insert(5, 8))
    const fails = createFakeApp({
      config: app.app.meta.config,
      query: async (sql, params) => {
        if (params[1] === '7') throw new Error('connection lost.')
        return app.execute(sql, params)
      },
    })
    for (const [key, value] of app.storage) fails.storage.set(key, value)

    await expect(importRows(fails.app, POSTGRES, {})).rejects.toThrow(
      'Could not read from the database: connection lost.',
    )

    expect(listDistinctIds(fails)).toEqual([5, 6, 7])
    expect(JSON.parse(fails.storage.get('position') ?? '')).toMatchObject({ cursor: '7' })
  })

  it('repeats a query whose connection is lost', async () => {
    const app = await start({ batch_size: '2' }, ORDERS, insert(1, 4))
    let faults = 2
    const fails = createFakeApp({
      config: app.app.meta.config,
      query: async (sql, params) => {
        if (params[1] === '2' && faults-- > 0) throw temporaryError('PostgreSQL: connection lost')
        return app.execute(sql, params)
      },
    })

    await importRows(fails.app, POSTGRES, {})

    expect(listDistinctIds(fails)).toEqual(upTo(4))
    expect(fails.counts.captured).toBe(4)
    expect(fails.logs[0]).toBe(
      'Could not read from the database: PostgreSQL: connection lost. Retrying in 1 s.',
    )
  })

  it('saves no position for a batch that could not be stored', async () => {
    const app = await start({}, ORDERS, insert(1, 4))
    const full = createFakeApp({
      config: app.app.meta.config,
      query: app.execute,
      capture: () => Promise.reject(new Error('disk full')),
    })

    await expect(importRows(full.app, POSTGRES, {})).rejects.toThrow('disk full')

    expect(full.storage.has('position')).toBe(false)
  })

  it.each([
    ['timestamptz', `'2024-01-01 10:00:00.000001+00'::timestamptz + n * interval '1 microsecond'`],
    ['timestamp', `'2024-01-01 10:00:00.000001'::timestamp + n * interval '1 microsecond'`],
    ['text', `chr(96 + n)`],
    ['numeric', `12345678901234567890.5 + n`],
    ['uuid', `lpad(n::text, 32, '0')::uuid`],
    ['date', `'2024-01-01'::date + n`],
    ['bigint', `9007199254740990 + n`],
  ])('follows a cursor of type %s', async (type, value) => {
    const table = `create table orders (id ${type}, distinct_id text, timestamp timestamptz default now())`
    const rows = (from: number, to: number) =>
      `insert into orders select ${value}, 'p' || n from generate_series(${from}, ${to}) n`
    const app = await start({ batch_size: '2' }, table, rows(1, 5))
    await app.import()

    await app.execute(rows(6, 7))
    await app.import()

    expect(app.counts.captured).toBe(7)
    expect(listDistinctIds(app)).toEqual(upTo(7))
  })

  it('converts columns of every type, whatever the session settings', async () => {
    const app = await start(
      { event: 'kind' },
      `set timezone to 'Asia/Kolkata'`,
      `set datestyle to 'SQL, DMY'`,
      `create type mood as enum ('calm', 'wild')`,
      `create domain cents as integer`,
      `create table orders (id bigint primary key, distinct_id integer, timestamp timestamptz,
        kind text, big bigint, exact numeric, ratio float8, flag boolean, day date, local timestamp,
        doc jsonb, tags text[], raw bytea, mood mood, price cents, nothing text, forever timestamptz,
        "odd ""name" text)`,
      `insert into orders values (1, 42, '2024-01-01T10:00:00+02:00', 'bought', 9007199254740993,
        12.50, 0.1, true, '2024-02-29', '2024-01-01 12:00:00.123456', '{"a": {"b": [1, null]}}',
        '{x,"y z"}', '\\x00ff', 'wild', 995, null, 'infinity', 'odd')`,
    )

    await app.import()

    expect(app.events()).toMatchObject([
      { event: 'bought', distinct_id: '42', timestamp: '2024-01-01T08:00:00.000Z' },
    ])
    expect(app.events()[0]?.properties).toEqual({
      id: 1,
      big: '9007199254740993',
      exact: 12.5,
      ratio: 0.1,
      flag: true,
      day: '2024-02-29',
      local: '2024-01-01T12:00:00.123456Z',
      doc: { a: { b: [1, null] } },
      tags: ['x', 'y z'],
      mood: 'wild',
      price: 995,
      forever: 'infinity',
      'odd "name': 'odd',
    })
  })

  it('reads a table of another schema with a hostile name', async () => {
    const app = await start(
      { table: '"odd""schema"."or.ders; drop table x"', cursor_column: 'i"d' },
      `create schema "odd""schema"`,
      `create table "odd""schema"."or.ders; drop table x" ("i""d" integer, distinct_id text, timestamp date)`,
      `insert into "odd""schema"."or.ders; drop table x" values (1, 'p1', '2024-01-01')`,
    )

    await app.import()

    expect(listDistinctIds(app)).toEqual([1])
  })

  it('reads a view and skips rows without a cursor', async () => {
    const app = await start(
      { table: 'recent' },
      ORDERS,
      insert(1, 3),
      insert(4, 5, 'null'),
      'create view recent as select * from orders where id is distinct from 2',
    )

    await app.import()

    expect(listDistinctIds(app)).toEqual([1, 3])
  })

  it('lists the columns before one is chosen, and values of them once rows are read', async () => {
    const columns = [
      { name: 'id', type: 'integer', example: '' },
      { name: 'distinct_id', type: 'text', example: '' },
      { name: 'timestamp', type: 'timestamp with time zone', example: '' },
    ]
    const app = await start({ cursor_column: '' }, ORDERS, insert(1, 2))
    const listed = () => JSON.parse(app.storage.get('columns') as string)
    await expect(app.import()).rejects.toThrow('Set "Cursor column"')
    expect(listed()).toEqual(columns)

    Object.assign(app.app.meta.config, { cursor_column: 'id' })
    await app.import()

    const examples = listed().map(({ example }: { example: string }) => example)
    expect(examples).toEqual(['1', 'p1', expect.stringContaining('2024-01-01')])
  })

  it('skips rows that cannot be events and logs their position', async () => {
    const app = await start({}, ORDERS, insert(1, 2), `insert into orders values (3, null, now())`)

    await app.import()

    expect(app.logs).toEqual([
      'Row at id 3: no person ID in "distinct_id". Skipped.',
      '3 new rows read, 1 skipped.',
    ])
  })

  it.each([
    ['an unknown table', { table: 'nowhere' }, 'Table "nowhere" was not found'],
    ['an unknown cursor', { cursor_column: 'no' }, 'has no column "no". Columns: id, distinct_id'],
    [
      'no cursor',
      { cursor_column: '' },
      'Columns: id, distinct_id, timestamp. Set "Cursor column"',
    ],
    ['an unknown person', { distinct_id_column: 'no' }, 'Set "Person column" to one of them'],
    ['an unknown time', { timestamp_column: 'no' }, 'Set "Time column" to one of them'],
    [
      'no rows at a time',
      { batch_size: '0' },
      '"Rows per batch" must be a whole number from 1 to 10000',
    ],
    ['too many at a time', { batch_size: '10001' }, '"Rows per batch" must be'],
    ['words for a number', { batch_size: 'all' }, 'not "all"'],
    ['no URL', { connection: 'db' }, 'The "Connection URL" is not valid'],
    ['no table', { table: '' }, 'The "Table" is not set'],
    [
      'people nowhere',
      { distinct_id_column: 'timestamp', timestamp_column: 'distinct_id' },
      'Nothing was imported',
    ],
  ])('explains the failure: %s', async (_, config, expected) => {
    const app = await start(config, ORDERS, insert(1, 2))

    await expect(app.import()).rejects.toThrow(expected)
    expect(app.storage.has('position')).toBe(false)
  })
})
