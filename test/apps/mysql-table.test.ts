import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createEgress } from '#server/egress/egress.ts'
import { createMysqlReader } from '#server/runtime/host/databases/mysql/reader.ts'
import { DEFAULT_LIMITS } from '#server/runtime/limits.ts'
import { MYSQL } from '../../apps/mysql-table/table.ts'
import type { Row } from '../../apps/shared/app.ts'
import { importRows } from '../../apps/table/import.ts'
import { hasMariadb, type Mariadb, startMariadb } from '../support/servers/mariadb.ts'
import { createFakeApp } from './fake-app.ts'

/** The rows of each table, which the tests only read. */
const SET_UP = [
  'create database shop character set utf8mb4',
  `create user 'reader'@'%' identified by 'pw'`,
  `grant select on shop.* to 'reader'@'%'`,
  'set names utf8mb4',
  'use shop',
  `set time_zone = '+00:00'`,
  'create table orders (id bigint unsigned, distinct_id varchar(50), timestamp datetime(6))',
  `insert into orders select 18446744073709551000 + seq, concat('p', seq), '2024-01-01' from seq_1_to_120`,
  'create table ties (id integer, distinct_id varchar(50), timestamp datetime)',
  `insert into ties select seq div 40, concat('p', seq), '2024-01-01' from seq_1_to_120`,
  'create sql security invoker view recent as select * from orders where id > 18446744073709551110',
  `create table kinds (id integer primary key, distinct_id integer, timestamp timestamp(6) default 0,
    kind varchar(10), big bigint, exact decimal(40,20), short decimal(5,2), ratio double, flag tinyint(1),
    bits bit(5), day date, clock time, doc json, mood enum('calm', 'wild'), raw blob, nothing text,
    latin varchar(20) character set latin1, \`odd \`\` name\` text)`,
  `insert into kinds values (1, 42, '2024-01-01 10:00:00.000001', 'bought', 9007199254740993,
    0.12345678901234567890, 12.50, 0.1, 1, b'101', '2024-02-29', '-10:00:00', '{"a": [1, null]}', 'wild', x'00ff',
    null, 'Zürich', 'odd')`,
  'create table texts (id varchar(20), distinct_id varchar(50), timestamp datetime)',
  `insert into texts select if(seq % 2, concat('K', seq div 4), concat('k', seq div 4)), concat('p', seq), '2024-01-01' from seq_1_to_24`,
]

describe.skipIf(!hasMariadb())('the MySQL table app, on MariaDB (needs mariadbd)', () => {
  let server: Mariadb
  beforeAll(async () => {
    server = await startMariadb(SET_UP)
  }, 120_000)
  afterAll(() => server?.stop())

  function start(config: Record<string, unknown>) {
    const connection = `mysql://reader:pw@127.0.0.1:${server.port}/shop`
    const egress = createEgress({ allowedHosts: ['127.0.0.1'] })
    const reader = createMysqlReader(egress, DEFAULT_LIMITS)
    onTestFinished(() => reader.close())
    const settings = { connection, table: 'orders', cursor_column: 'id', ...config }
    const query = async (text: string, params: readonly unknown[]) =>
      (await reader.query([connection, text, params])).rows as Row[]
    const fake = createFakeApp({ config: settings, query })
    return { ...fake, import: (payload: unknown = {}) => importRows(fake.app, MYSQL, payload) }
  }

  const listIds = ({ events }: ReturnType<typeof start>) =>
    events()
      .map(({ distinct_id }) => Number(distinct_id.slice(1)))
      .sort((a, b) => a - b)
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

  it.each([
    ['orders', 'id', 7],
    ['orders', 'id', 1000],
    ['ties', 'id', 1],
    ['ties', 'id', 50],
    ['ties', 'timestamp', 50],
    ['texts', 'id', 5],
  ])('imports each row of %s by %s once, in batches of %d', async (table, cursor_column, size) => {
    const app = start({ table, cursor_column, batch_size: size })

    await app.import()
    const count = app.events().length
    await app.import()

    expect(listIds(app)).toEqual(upTo(table === 'texts' ? 24 : 120))
    expect(app.events()).toHaveLength(count)
  })

  it('converts columns of every type', async () => {
    const app = start({ table: 'shop.kinds', event: 'kind', person_columns: 'mood,nothing' })

    await app.import()

    expect(app.events()).toMatchObject([
      { event: 'bought', distinct_id: '42', timestamp: '2024-01-01T10:00:00.000Z' },
    ])
    expect(app.events()[0]?.properties).toEqual({
      ...{
        id: 1,
        big: '9007199254740993',
        exact: '0.12345678901234567890',
        short: 12.5,
        ratio: 0.1,
      },
      ...{ flag: 1, bits: 5, day: '2024-02-29', clock: '-10:00:00', doc: '{"a": [1, null]}' },
      ...{
        mood: 'wild',
        latin: 'Zürich',
        'odd ` name': 'odd',
        $set: { mood: 'wild', nothing: null },
      },
    })
  })

  it('reads a view', async () => {
    const app = start({ table: 'recent' })

    await app.import()

    expect(listIds(app)).toEqual([111, 112, 113, 114, 115, 116, 117, 118, 119, 120])
  })

  it.each([
    ['an unknown table', { table: 'nowhere' }, 'Table "nowhere" was not found'],
    ['a hostile table', { table: 'orders` where 1; drop table orders' }, 'was not found'],
    ['another database', { table: 'mysql.user' }, 'was not found'],
    [
      'no cursor',
      { cursor_column: '' },
      'Columns: id, distinct_id, timestamp. Set "Cursor column"',
    ],
    ['an unknown cursor', { cursor_column: 'no' }, 'has no column "no". Columns: id, distinct_id'],
    ['a cursor without an order', { table: 'kinds', cursor_column: 'mood' }, 'which is a enum'],
    ['no URL', { connection: 'db' }, 'Use mysql://user:password@host/database.'],
  ])('explains the failure: %s', async (_, config, expected) => {
    const app = start(config)

    await expect(app.import()).rejects.toThrow(expected)
    expect(app.storage.has('position')).toBe(false)
  })
})
