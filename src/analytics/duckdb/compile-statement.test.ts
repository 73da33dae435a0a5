import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { compiler, compileStatement } from './compile-statement.ts'
import { loadDuckDb } from './load.ts'

async function connect() {
  const { DuckDBInstance } = await loadDuckDb()
  return (await DuckDBInstance.create(':memory:')).connect()
}

const VALUES = [
  'visit',
  '',
  "it's; drop table events --",
  "'' \\' $$ $1 \" /* */",
  'é 😀 \n\t',
  0,
  -1,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_648,
  Number.MAX_SAFE_INTEGER,
  2 ** 62 + 2 ** 20,
  -(2 ** 62),
  1.5,
  -0.1,
  true,
  false,
  null,
]

describe('a value in a statement', () => {
  it.each(VALUES)('is what DuckDB would bind: %j', async (value) => {
    const connection = await connect()
    const statement = sql`select ${value} as value, typeof(${value}) as type`

    const { sql: text, parameters } = statement.compile(compiler)
    const bound = await connection.runAndReadAll(text, [...parameters] as string[])
    const written = await connection.runAndReadAll(compileStatement(statement))

    expect(written.getRowsJson()).toEqual(bound.getRowsJson())
    expect(written.getRows()[0]?.[0]).toEqual(typeof value === 'number' ? expect.anything() : value)
  })

  it('can be a number beyond integers, which DuckDB does not bind', async () => {
    const connection = await connect()

    const read = await connection.runAndReadAll(compileStatement(sql`select ${1e300} as value`))

    expect(read.getRows()).toEqual([[1e300]])
  })

  it('ends at no NUL', async () => {
    const connection = await connect()

    const read = await connection.runAndReadAll(compileStatement(sql`select ${'a\0b'} as value`))

    expect(read.getRows()).toEqual([['a\ufffdb']])
  })

  it.each([{ a: 1 }, [1], undefined, 1n])('of another type is refused: %s', (value) => {
    expect(() => compileStatement(sql`select ${value}`)).toThrow('cannot contain a value')
  })
})
