import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/data/backups.ts'
import { loadDuckDb } from '../duckdb/load.ts'
import { PORTABLE_TABLES } from '../portable-tables.ts'
import { requirePart } from './check-part.ts'

const EVENT: Readonly<Record<string, string>> = {
  project_id: '1::bigint',
  seq: '1::bigint',
  uuid: 'gen_random_uuid()',
  event: "'visit'",
  distinct_id: "'ada'",
  timestamp: "'2026-01-01 00:00:00Z'::timestamptz",
  properties: "'{}'",
  whole: 'null::varchar',
  created_at: "'2026-01-01 00:00:00Z'::timestamptz",
}

const toColumns = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, value]) => `${value} as ${name}`)
    .join()

describe('a Parquet file of a backup', () => {
  let connection: DuckDBConnection
  let writer: DuckDBConnection
  let close: () => void

  beforeAll(async () => {
    const { DuckDBInstance } = await loadDuckDb()
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: '256MB',
      threads: '1',
    })
    const unlimited = await DuckDBInstance.create(':memory:')
    connection = await instance.connect()
    writer = await unlimited.connect()
    close = () => {
      for (const one of [connection, writer, instance, unlimited]) one.closeSync()
    }
  })
  afterAll(() => close())

  async function check(query: string, rows: number): Promise<void> {
    const path = join(await temporaryFolder(), 'part.parquet')
    await writer.run(`copy (${query}) to '${path}' (format parquet, compression zstd)`)
    try {
      await requirePart(connection, 'events', path, rows)
    } finally {
      await rm(path)
    }
  }
  const checkEvents = (change: Readonly<Record<string, string>>, rows = 3, claimed = rows) =>
    check(`select ${toColumns({ ...EVENT, ...change })} from range(${rows})`, claimed)

  it('is accepted as a backup writes it', async () => {
    await checkEvents({})
    await checkEvents({ another: "'column'" })
    await checkEvents({ whole: `'{"a":1}'` }, 1)
    expect(Object.keys(EVENT)).toEqual(Object.keys(PORTABLE_TABLES.events))
  })

  it.each([
    ['a text as a project', { project_id: "'1'" }, 'no column project_id of type bigint'],
    ['a fraction as a project', { project_id: '1.5::double' }, 'no column project_id'],
    ['a larger integer type', { seq: '1::ubigint' }, 'no column seq of type bigint'],
    ['a text as a UUID', { uuid: "'x'" }, 'no column uuid of type uuid'],
    ['bytes as a name', { event: "'a'::blob" }, 'no column event of type varchar'],
    ['a list as a name', { event: "['a']" }, 'no column event of type varchar'],
    ['a struct as properties', { properties: "{'a': 1}" }, 'no column properties of type varchar'],
    ['JSON as its own type', { properties: "'{}'::json" }, 'no column properties of type varchar'],
    ['a time without a zone', { timestamp: "'2026-01-01'::timestamp" }, 'no column timestamp'],
    ['a number that JavaScript rounds', { seq: '9007199254740993::bigint' }, 'a value of seq'],
    ['a time without end', { timestamp: "'infinity'::timestamptz" }, 'a value of timestamp'],
    ['a time after 9999', { timestamp: "'20000-01-01'::timestamptz" }, 'a value of timestamp'],
    ['properties that are cut', { properties: `'{"a":'` }, 'a value of properties'],
    ['properties that are a list', { properties: "'[1]'" }, 'a value of properties'],
    ['whole properties that are a text', { whole: "'x'" }, 'a value of whole'],
  ])('is refused with %s', async (_, change, message) => {
    await expect(checkEvents(change)).rejects.toThrow(message)
  })

  it('is refused with a column missing', async () => {
    const { event: _, ...columns } = EVENT
    await expect(check(`select ${toColumns(columns)}`, 1)).rejects.toThrow('no column event')
  })

  it('is refused with other rows than it says', async () => {
    await expect(checkEvents({}, 4, 3)).rejects.toThrow('it does not have 3 rows')
    await expect(checkEvents({}, 2, 3)).rejects.toThrow('it does not have 3 rows')
    await expect(checkEvents({}, 1_000_000, 3)).rejects.toThrow('it does not have 3 rows')
    await expect(checkEvents({}, 1, 1_000_000)).rejects.toThrow('it has more than 100000 rows')
  })

  it('is refused if a small file becomes large', async () => {
    const text = (length: number) => `'{"a":"' || repeat('x', ${length}) || '"}'`

    await expect(checkEvents({ properties: text(10_000) }, 27_000)).rejects.toThrow(
      'its texts are too large',
    )
    await expect(checkEvents({ properties: text(200_000_000) }, 1)).rejects.toThrow(
      /texts are too large|Out of Memory/,
    )
  })
})
