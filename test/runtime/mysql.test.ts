import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createEgress } from '#server/egress/egress.ts'
import { createMysqlReader } from '#server/runtime/host/databases/mysql/reader.ts'
import { DEFAULT_LIMITS, type Limits } from '#server/runtime/limits.ts'
import { hasMariadb, type Mariadb, startMariadb } from '../support/servers/mariadb.ts'
import { runBody } from './apps.ts'

const SET_UP = [
  'create database shop',
  `create user 'reader'@'%' identified by 'p%w:/é'`,
  `grant all on *.* to 'reader'@'%'`,
  `create user 'secure'@'%' identified by 'pw' require ssl`,
  `grant all on shop.* to 'secure'@'%'`,
  `create user 'empty'@'%'`,
  'create table shop.orders (id integer primary key)',
  'insert into shop.orders values (1), (2)',
]
const READER = `reader:${encodeURIComponent('p%w:/é')}`

describe.skipIf(!hasMariadb())('mysql.query, on MariaDB (needs mariadbd)', () => {
  let server: Mariadb
  beforeAll(async () => {
    server = await startMariadb(SET_UP)
  }, 120_000)
  afterAll(() => server?.stop())

  const urlOf = (user = READER, rest = '/shop') => `mysql://${user}@127.0.0.1:${server.port}${rest}`

  function start(changes: Partial<Limits> = {}) {
    const egress = createEgress({ allowedHosts: ['127.0.0.1'] })
    const reader = createMysqlReader(egress, { ...DEFAULT_LIMITS, ...changes })
    onTestFinished(() => reader.close())
    return async (text: string, params: readonly unknown[] = [], url = urlOf()) =>
      (await reader.query([url, text, params])).rows
  }

  it('returns rows as exact JSON values', async () => {
    const [row] = await start()(
      `select 1 as n, 9007199254740993 as big, 1.10 as decimal_, 0.5e0 as ratio, true as yes, null as none,
      timestamp '2030-01-02 03:04:05.123456' as at, date '2030-01-02' as day, 'é' as text, x'00ff' as bytes,
      ? as given, ? as number, ? as nothing, '?' as mark /* ? */ -- ?`,
      ["p'\\", 2.5, null],
    )

    expect(row).toEqual({
      ...{ n: 1, big: '9007199254740993', decimal_: '1.10', ratio: 0.5, yes: 1, none: null },
      ...{ at: '2030-01-02T03:04:05.123456Z', day: '2030-01-02', text: 'é', bytes: 'AP8=' },
      ...{ given: "p'\\", number: '2.5', nothing: null, mark: '?' },
    })
  })

  it('gives an app its rows', async () => {
    const { messages, outcome } = await runBody(
      `console.log(JSON.stringify((await meta.utils.mysql.query(meta.config.url, 'select id from orders order by id')).rows))`,
      { allowedHosts: ['127.0.0.1'], spec: { config: { url: urlOf() } } },
    )

    expect([outcome, messages()[0]]).toEqual([{ ended: 'succeeded' }, '[{"id":1},{"id":2}]'])
  })

  it.each(["'; drop table orders; --", '\\', "\\' or 1 = 1 -- ", 'a\0b', '`"?', '😀'])(
    'takes the parameter %j as a text',
    async (text) => {
      expect(await start()('select ? as given', [text])).toEqual([{ given: text }])
    },
  )

  it.each([
    ['fewer', [1]],
    ['more', [1, 2, 3]],
    ['other', [1, {}]],
  ])('refuses %s parameters than placeholders', async (_, params) => {
    await expect(start()('select ?, ?', params)).rejects.toThrow(/placeholders|A parameter/)
  })

  it('reads texts of more than 16 MB', async () => {
    const [row] = await start()(`select repeat('x', 16777300) as text, repeat('y', 300) as other`)

    const lengths = Object.values(row ?? {}).map((text) => String(text).length)
    expect(lengths).toEqual([16_777_300, 300])
  })

  it.each([
    ['rows', { maxQueryRows: 9 }, 'select seq from seq_1_to_10'],
    ['bytes', { maxQueryBytes: 5000 }, `select repeat('x', 1000) from seq_1_to_10`],
    ['bytes of a row', { maxQueryBytes: 5000 }, `select repeat('x', 100000)`],
  ])('refuses too many %s, and reads on', async (_, limits, text) => {
    const query = start(limits)

    await expect(query(text)).rejects.toThrow(/more than 9 rows|5000 bytes|70536 bytes/)
    expect(await query('select count(*) as n from orders')).toEqual([{ n: '2' }])
  })

  it.each([
    ['insert into orders values (3)', /only reads/],
    ['with a as (select 1) delete from orders', /READ ONLY|syntax/],
    ['drop table orders', /only reads/],
    ['/* a */ -- b\n truncate orders', /only reads/],
    ['/*! drop table orders */', /only reads/],
    ['commit', /only reads/],
    ['select 1; select 2', /syntax/],
    ['select * from nowhere', /nowhere.* \(1146, 42S02\)$/],
  ])('refuses %j', async (text, message) => {
    const query = start()

    await expect(query(text)).rejects.toThrow(message)
    expect(await query('select count(*) as n from orders')).toEqual([{ n: '2' }])
  })

  it('ends a statement that takes too long, temporarily', async () => {
    await expect(start({ waitMs: 500 })('select sleep(20)')).rejects.toMatchObject({
      isTemporary: true,
    })
  })

  it('signs in over TLS, and only by certificates that are known if it must verify them', async () => {
    const query = start()
    const cipher = `show session status like 'Ssl_cipher'`

    const [row] = await query(cipher, [], urlOf('secure:pw', '/shop?ssl-mode=REQUIRED'))
    expect(row?.Value).toMatch(/AES|CHACHA/)
    await expect(
      query(cipher, [], urlOf('secure:pw', '/shop?ssl-mode=verify_identity')),
    ).rejects.toThrow(/certificate|self-signed/)
    await expect(query(cipher, [], urlOf('secure:pw'))).rejects.toThrow('Access denied')
  })

  it('signs in without a password or a database', async () => {
    expect(await start()('select database() as name', [], urlOf('empty', ''))).toEqual([
      { name: null },
    ])
  })

  it.each([
    ['reader:wrong', '/shop', /Access denied.*\(1045, 28000\)/],
    [READER, '/nowhere', /Unknown database 'nowhere' \(1049/],
    [READER, '/shop?ssl-mode=sometimes', /ssl-mode "sometimes"/],
    ['reader:%', '/shop', /Write it as %25/],
  ])('explains why %s cannot use %s', async (user, rest, message) => {
    await expect(start()('select 1', [], urlOf(user, rest))).rejects.toThrow(message)
  })
})
