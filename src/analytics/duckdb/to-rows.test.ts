import { expect, it } from 'vitest'
import { countTurns, slowDown } from '../../../test/support/count-turns.ts'
import { loadDuckDb } from './load.ts'
import { toStatementRows } from './to-rows.ts'

async function run(statement: string) {
  const { DuckDBInstance } = await loadDuckDb()
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  return connection.run(statement)
}

it('converts every type of cell', async () => {
  const result =
    await run(`select 1::bigint as big, 2::hugeint as huge, 1.5::decimal(4, 1) as decimal,
    'nan'::double as none, null as absent, true as yes, 'é' as text,
    '00000000-0000-4000-8000-000000000000'::uuid as uuid`)

  expect(await toStatementRows(result)).toEqual([
    {
      big: 1,
      huge: 2,
      decimal: 1.5,
      none: null,
      absent: null,
      yes: true,
      text: 'é',
      uuid: '00000000-0000-4000-8000-000000000000',
    },
  ])
})

it('converts many rows in several turns of the event loop, in order', async () => {
  const result = await run('select range as n, range::text as text from range(50000)')
  const chunks = await result.fetchAllChunks() // fetching them would take turns of its own
  const fetched = Object.assign(Object.create(result), {
    async *[Symbol.asyncIterator]() {
      yield* chunks
    },
  })
  let rows: unknown[] = []

  slowDown()
  const turns = await countTurns(async () => {
    rows = await toStatementRows(fetched)
  })

  expect(rows).toHaveLength(50_000)
  expect(rows.at(-1)).toEqual({ n: 49_999, text: '49999' })
  expect(turns).toBeGreaterThan(1)
})

it('stops when the texts are too long', async () => {
  const result = await run("select repeat('x', 100) as text from range(1000)")

  await expect(toStatementRows(result, 99_999)).rejects.toThrow('million characters')
})
