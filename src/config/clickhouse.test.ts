import { describe, expect, it } from 'vitest'
import { toClickHouse } from './clickhouse.ts'

function read(env: Readonly<Record<string, string>>) {
  const problems: string[] = []
  const settings = toClickHouse((name) => env[name], 'postgres://x', problems)
  return { settings, problems }
}

describe('the settings of ClickHouse', () => {
  it.each([
    ['clickhouse://host/db', 'clickhouse://host:8123/db'],
    ['clickhouses://host/db', 'clickhouses://host:8443/db'],
    ['clickhouse://jo:p%2Fw@10.0.0.1:9000/_db1', 'clickhouse://jo:p%2Fw@10.0.0.1:9000/_db1'],
    ['clickhouses://jo@[::1]/db', 'clickhouses://jo@[::1]:8443/db'],
  ])('read %s as %s, with defaults', (EVENTS_URL, url) => {
    expect(read({ EVENTS_URL })).toEqual({
      settings: { url, cluster: undefined, keysDays: 0, maxWaitingMb: 1024 },
      problems: [],
    })
  })

  it.each([
    ...['http://host/db', 'clickhouse:host/db', 'CLICKHOUSE://host/db', ' clickhouse://host/db'],
    ...['host:8123/db', 'postgres://host/db', 'clickhousex://host/db'],
  ])('need a known scheme: %s', (EVENTS_URL) => {
    expect(read({ EVENTS_URL }).problems).toEqual([
      'EVENTS_URL must start with clickhouse://, or with clickhouses:// for TLS.',
    ])
  })

  it.each([
    ...['clickhouse://', 'clickhouse:///db', 'clickhouse://jo:pw@/db', 'clickhouse://:8123/db'],
    ...['clickhouse://host:99999/db', 'clickhouse://jo:p#w@host/db', 'clickhouse://jo:%@host/db'],
  ])('need a host: %s', (EVENTS_URL) => {
    expect(read({ EVENTS_URL }).problems).toEqual([
      'EVENTS_URL must have a host, as in clickhouse://user:password@host:8123/database; special characters in the user and password must be percent-encoded.',
    ])
  })

  it.each([
    ...[
      'clickhouse://host',
      'clickhouse://host/',
      'clickhouse://host/a/b',
      'clickhouse://host/a-b',
    ],
    ...['clickhouse://host/1a', 'clickhouse://host/d%C3%A9', 'clickhouse://host/db?secure=1'],
    `clickhouse://host/${'a'.repeat(65)}`,
  ])('need the name of a database: %s', (EVENTS_URL) => {
    expect(read({ EVENTS_URL }).problems).toEqual([
      'EVENTS_URL must end with the name of a database, as in clickhouse://user:password@host:8123/database; the name has only letters, digits and _.',
    ])
  })

  it('need PostgreSQL', () => {
    const problems: string[] = []

    toClickHouse((name) => ({ EVENTS_URL: 'clickhouse://host/db' })[name], undefined, problems)

    expect(problems).toEqual([
      'EVENTS_URL needs DATABASE_URL: events pass through PostgreSQL to ClickHouse.',
    ])
  })

  it('refuse a cluster without an address', () => {
    expect(read({ EVENTS_CLUSTER: 'main' })).toEqual({
      settings: undefined,
      problems: ['EVENTS_CLUSTER needs EVENTS_URL.'],
    })
  })

  it.each([
    ['EVENTS_CLUSTER', ['a b', "a'b", '{cluster}', '1a', 'a-b']],
    ['EVENTS_KEYS_DAYS', ['-1', '1.5', '3651', '7d', '0x10', ' 1']],
    ['EVENTS_WAITING_MB', ['0', '-1', '1e3', '1000001', '1GB']],
  ])('refuse invalid values of %s', (name, values) => {
    for (const value of values) {
      const { problems } = read({ EVENTS_URL: 'clickhouse://host/db', [name]: value })
      expect(problems, value).toEqual([expect.stringMatching(`^${name} must .*"${value}"\\.$`)])
    }
  })

  it('accept the limits', () => {
    const env = { EVENTS_URL: 'clickhouse://host/db', EVENTS_KEYS_DAYS: '3650' }

    expect(read({ ...env, EVENTS_WAITING_MB: '1' })).toMatchObject({
      settings: { keysDays: 3650, maxWaitingMb: 1 },
      problems: [],
    })
  })
})
