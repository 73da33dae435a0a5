import type { App, Row } from '../shared/app.ts'
import { isTemporary, retry, TemporaryProblem } from '../shared/retries.ts'
import type { TableRow } from './table.ts'

export type Query = (sql: string, params?: readonly unknown[]) => Promise<readonly Row[]>

/** Creates a query that is repeated while the database cannot be reached. */
export function createQuery(
  app: Pick<App, 'meta' | 'log'>,
  kind: 'postgres' | 'mysql',
  connection: string,
): Query {
  const database = app.meta.utils[kind]
  return (sql, params) =>
    retry(app, async () => {
      const { rows } = await database.query(connection, sql, params).catch((error) => {
        throw toProblem(error)
      })
      return rows
    })
}

function toProblem(error: unknown): Error {
  const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
  const text = `Could not read from the database: ${reason}`
  if (isTemporary(error)) return new TemporaryProblem(text)
  const advice = reason.includes('rows or')
    ? 'Lower "Rows per batch".'
    : 'The next run continues from here.'
  return new Error(`${text}. ${advice}`)
}

/** Reads the columns `v0`, `v1` ... of a batch: the values, and behind them the position. */
export const toTableRow = (row: Row, count: number): TableRow => ({
  values: Array.from({ length: count }, (_, index) => row[`v${index}`]),
  place: { cursor: String(row[`v${count}`]), tie: String(row[`v${count + 1}`]) },
})
