import fc from 'fast-check'
import { expect, it } from 'vitest'
import { select } from '../../../../test/support/data/sql-grammar.ts'
import { CANARY, SHOP, type SqlStore, startBoth } from '../../../../test/support/data/user-sql.ts'
import { numRuns } from '../../../../test/support/vitest/effort.ts'

interface Outcome {
  /** Lists the cells of a result in any order. */
  readonly rows: readonly string[] | undefined
  readonly status: number
  readonly text: string
}

/** Ignores words of the query, which may appear in error messages. */
async function readOutcome(store: SqlStore, text: string): Promise<Outcome> {
  try {
    const { results } = await store.run(text, { limit: 10_000 })
    const rows = results.map((row) => JSON.stringify(row)).toSorted()
    return { rows, status: 200, text: JSON.stringify(results) }
  } catch (error) {
    const { statusCode = 500, message } = error as { statusCode?: number; message: string }
    return { rows: undefined, status: statusCode, text: message }
  }
}

it("returns only the project's rows, equal on both databases, for any query", async () => {
  const stores = await startBoth(SHOP)
  let answered = 0

  await fc.assert(
    fc.asyncProperty(select, async (text) => {
      const [duckdb, postgres] = (await Promise.all(
        stores.map((store) => readOutcome(store, text)),
      )) as [Outcome, Outcome]

      for (const outcome of [duckdb, postgres]) {
        expect(`${outcome.status} ${outcome.text}`).toMatch(/^(200|400) /)
        if (!text.includes("'canar'")) expect(outcome.text).not.toContain(CANARY)
        expect(outcome.text).not.toContain('666666')
      }
      expect(postgres.rows).toEqual(duckdb.rows)
      if (duckdb.status === 200) answered++
    }),
    numRuns(500, 150),
  )

  expect(answered).toBeGreaterThan(50)
})
