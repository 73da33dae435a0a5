import { expect, it } from 'vitest'
import { type SqlStore, startBoth } from '../support/data/user-sql.ts'

/** One half finds nothing, so that a thread of DuckDB has no rows for the window. */
const HALVES = `(
  select event from events where event = 'unknown'
  union all
  select event from events where event = 'left' and not exists (select 1 from events where event = 'unknown')
) as halves`

it.each([
  ['count(*)', 1],
  ['max(event)', 'left'],
  ['first_value(event)', 'left'],
  ['last_value(event)', 'left'],
])('computes %s over all rows, however threads share them', async (call, expected) => {
  const [embedded] = (await startBoth()) as [SqlStore, SqlStore]
  const ask = () => embedded.run(`select ${call} over () as value from ${HALVES}`)

  const values = new Set<unknown>()
  for (let round = 0; round < 200; round++) {
    const outcomes = await Promise.all([ask(), ask(), ask(), ask()])
    for (const { results } of outcomes) values.add(results.flat().join())
  }

  expect([...values]).toEqual([String(expected)])
})
