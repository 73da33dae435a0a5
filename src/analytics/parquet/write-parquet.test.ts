import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../test/support/data/backups.ts'
import { quote } from '../duckdb/facts.ts'
import { loadDuckDb } from '../duckdb/load.ts'
import { PORTABLE_TABLE_NAMES, PORTABLE_TABLES, type PortableTable } from '../portable-tables.ts'
import { openParquetReader } from './reader.ts'
import { toColumns, type Value, writeParquet } from './write-parquet.ts'

/** Writes groups of rows, as they come from PostgreSQL. */
async function write(
  table: PortableTable,
  ...groups: readonly (readonly Value[])[][]
): Promise<string> {
  const path = join(await temporaryFolder(), 'a.parquet')
  async function* toCells() {
    for (const rows of groups) {
      yield toColumns(table).map(({ toCell }, index) =>
        rows.map((row) => toCell(row[index] as Value)),
      )
    }
  }
  expect(await writeParquet(table, toCells(), path)).toBe(groups.flat().length)
  return path
}

async function read(table: PortableTable, path: string) {
  const reader = await openParquetReader()
  onTestFinished(reader.close)
  return (await Array.fromAsync(reader.read(table, path))).flat()
}

const EVENT = [
  1,
  5,
  '0197cb80-7ca1-7aaa-8000-00000000000f',
  '$pageview',
  'ada',
  '1767225600000001',
  '{"a":"ü, 🦔 and 中"}',
  null,
  '-62135596800000000',
]

describe('a Parquet file of a backup', () => {
  it('describes every table as DuckDB does', async () => {
    const duckdb = await loadDuckDb()
    const connection = await (await duckdb.DuckDBInstance.create()).connect()
    onTestFinished(() => connection.closeSync())
    const describeColumns = async (path: string) =>
      (
        await connection.runAndReadAll(
          `select name, type, type_length, repetition_type, converted_type, logical_type
          from parquet_schema(${quote(path)}) offset 1`,
        )
      ).getRows()

    for (const table of PORTABLE_TABLE_NAMES) {
      const ours = await write(table, [toColumns(table).map(() => null)])
      const nulls = Object.entries(PORTABLE_TABLES[table]).map(
        ([name, type]) => `null::${type} as ${name}`,
      )
      await connection.run(
        `copy (select ${nulls.join()}) to ${quote(`${ours}.duckdb`)} (format parquet)`,
      )

      expect(await describeColumns(ours), table).toEqual(await describeColumns(`${ours}.duckdb`))
    }
  })

  it('keeps every value, in any number of groups', async () => {
    const far = [...EVENT.slice(0, 5), '253402300799999999', '{}', 'x'.repeat(1_500_000), '0']
    const many = Array.from({ length: 3000 }, (_, index) => [1, index, ...EVENT.slice(2)])

    const rows = await read('events', await write('events', [EVENT], [far, EVENT], many))

    const [first, second] = rows
    expect(rows).toHaveLength(3003)
    expect(first?.slice(0, 5)).toEqual(EVENT.slice(0, 5))
    expect(first?.slice(5)).toEqual([
      '2026-01-01T00:00:00.000001Z',
      EVENT[6],
      null,
      '0001-01-01T00:00:00.000000Z',
    ])
    expect(second?.[5]).toBe('9999-12-31T23:59:59.999999Z')
    expect(second?.[7]).toBe(far[7])
    expect(rows.slice(3).map((row) => row[1])).toEqual(many.map((row) => row[1]))
  })

  it('keeps yes, no and small numbers', async () => {
    const person = [1, -7, EVENT[2] as string, '0', true, false, '{}']
    const group = [1, 4, 'acme', '0', null, '{}']

    expect(await read('persons', await write('persons', [person]))).toEqual([
      [1, -7, EVENT[2], '1970-01-01T00:00:00.000000Z', true, false, '{}'],
    ])
    expect(await read('group_profiles', await write('group_profiles', [group]))).toEqual([
      [1, 4, 'acme', '1970-01-01T00:00:00.000000Z', null, '{}'],
    ])
  })
})
