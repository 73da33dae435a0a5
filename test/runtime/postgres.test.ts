import { describe, expect, inject, it } from 'vitest'
import { databasesAt } from '../support/servers/postgres.ts'
import { type Recorded, recordServices, runBody } from './apps.ts'

const ALLOWED = { allowedHosts: ['127.0.0.1', 'localhost'] }

async function createDatabase(): Promise<string> {
  const databases = databasesAt(inject('postgresPort'))
  return databases.url(await databases.createDatabase())
}

const query = async (
  sql: string,
  options: Parameters<typeof runBody>[1] = ALLOWED,
  params: unknown[] = [],
): Promise<Recorded & { readonly outcome: unknown }> => {
  const url = await createDatabase()
  const call = `await meta.utils.postgres.query(meta.config.url, ${JSON.stringify(sql)}, ${JSON.stringify(params)})`
  return runBody(`console.log(JSON.stringify((${call}).rows))`, {
    ...options,
    spec: { config: { url } },
  })
}

describe('postgres.query', () => {
  it('returns rows as exact JSON values', async () => {
    const { messages, outcome } = await query(
      `select 1 as n, 9007199254740993::bigint as big, 1.10::numeric as dec,
      timestamptz '2030-01-02 03:04:05.123456+01' as at, timestamp '2030-01-02 03:04:05' as plain, date '2030-01-02' as day,
      true as yes, null as none, '{"a":[1]}'::jsonb as doc, '\\x0102'::bytea as bytes, 'infinity'::timestamptz as never, $1::text as given`,
      ALLOWED,
      ['p'],
    )

    expect(outcome).toEqual({ ended: 'succeeded' })
    expect(JSON.parse(messages()[0] ?? '')).toEqual([
      {
        n: 1,
        big: '9007199254740993',
        dec: '1.10',
        at: '2030-01-02T02:04:05.123456Z',
        plain: '2030-01-02T03:04:05Z',
        day: '2030-01-02',
        yes: true,
        none: null,
        doc: { a: [1] },
        bytes: '\\x0102',
        never: 'infinity',
        given: 'p',
      },
    ])
  })

  it('says whether a retry may succeed', async () => {
    const url = await createDatabase()
    const refused = 'postgres://127.0.0.1:1/a'
    const { messages } = await runBody(
      `const query = (url, text) => meta.utils.postgres.query(url, text)
        .then(({ rows }) => console.log('read', rows.length))
        .catch((error) => console.log(error.isTemporary, error.message))
      await query(meta.config.url, 'select pg_terminate_backend(pg_backend_pid())')
      await query(meta.config.url, 'select 1')
      await query('${refused}', 'select 1')
      await query('postgres://no-such-host.invalid/a', 'select 1')
      await query(meta.config.url, 'nonsense')`,
      { ...ALLOWED, spec: { config: { url } } },
    )

    expect(messages()).toEqual([
      'true PostgreSQL: terminating connection due to administrator command',
      'read 1',
      'true PostgreSQL: connect ECONNREFUSED 127.0.0.1:1',
      'false PostgreSQL: getaddrinfo ENOTFOUND no-such-host.invalid',
      'false PostgreSQL: syntax error at or near "nonsense"',
    ])
  })

  it.each([
    ['create table t (a int)', 'cannot execute CREATE TABLE in a read-only transaction'],
    [
      'select 1; commit; create table t (a int)',
      'cannot insert multiple commands into a prepared statement',
    ],
    ['select', undefined],
    ['nonsense', 'syntax error at or near "nonsense"'],
  ])('is read-only: %s', async (sql, message) => {
    const { outcome } = await query(sql)

    expect(outcome).toEqual(
      message
        ? { ended: 'failed', by: 'app', message: `PostgreSQL: ${message}` }
        : { ended: 'succeeded' },
    )
  })

  it('refuses too many rows, and the next query works', async () => {
    const url = await createDatabase()
    const { messages } = await runBody(
      `const read = (sql) => meta.utils.postgres.query(meta.config.url, sql)
       await read('select generate_series(1, 100000)').catch((error) => console.log(error.message))
       const all = await Promise.all([1, 2, 3].map((n) => read('select ' + n + ' as n')))
       console.log(all.map(({ rows }) => rows[0].n))`,
      { ...ALLOWED, limits: { maxQueryRows: 1000 }, spec: { config: { url } } },
    )

    expect(messages()).toEqual([
      'The query returns more than 1000 rows or 33554432 bytes. Read them in parts, with a LIMIT.',
      '[1,2,3]',
    ])
  })

  it('times out a slow query', async () => {
    const { outcome } = await query('select pg_sleep(20)', { ...ALLOWED, limits: { waitMs: 400 } })

    expect(outcome).toMatchObject({
      by: 'app',
      message: 'PostgreSQL: canceling statement due to statement timeout',
    })
  })

  it.each([
    ['loopback', 'postgres://a:b@127.0.0.1:PORT/x', 'FetchError: Internal hostname: 127.0.0.1'],
    [
      'a name of loopback',
      'postgres://a:b@localhost:PORT/x',
      'FetchError: Internal hostname: localhost',
    ],
    [
      'a socket file',
      'postgres:///x?host=/var/run/postgresql',
      'A connection URL looks like postgres://user:password@host/database.',
    ],
    [
      'another protocol',
      'http://example.com',
      'A connection URL looks like postgres://user:password@host/database.',
    ],
  ])('does not reach %s', async (_, url, message) => {
    const services = recordServices()
    const { outcome } = await runBody(
      `await meta.utils.postgres.query('${url.replace('PORT', String(inject('postgresPort')))}', 'select 1')`,
      { services },
    )

    expect(outcome).toEqual({ ended: 'failed', by: 'app', message })
  })

  it('reports a failed login without the password', async () => {
    const url = (await createDatabase()).replace(/\/\/[^@]*@/, '//nobody-there:topsecret@')
    const { outcome, lines } = await runBody(
      `await meta.utils.postgres.query(meta.config.url, 'select 1')`,
      {
        ...ALLOWED,
        spec: { config: { url }, secrets: ['topsecret'] },
      },
    )

    expect(outcome).toMatchObject({ by: 'app', message: expect.stringContaining('nobody-there') })
    expect(JSON.stringify([outcome, lines])).not.toContain('topsecret')
  })
})
