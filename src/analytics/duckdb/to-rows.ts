import type { DuckDBResultReader, DuckDBType } from '@duckdb/node-api'
import { isObject } from '#model/json.ts'
import { giveWay } from '#server/concurrency.ts'
import type { Cell, StatementRow } from '../event-table.ts'
import { createTextLimit } from '../text-limit.ts'
import { loadDuckDb } from './load.ts'

/** Converts the rows of a statement, in as many turns of the event loop as it takes. */
export async function toRows(
  reader: DuckDBResultReader,
  maxTextLength: number | undefined,
): Promise<StatementRow[]> {
  const { JSDuckDBValueConverter: toJs } = await loadDuckDb()
  const names = reader.deduplicatedColumnNames()
  const types = reader.columnTypes()
  const countText = createTextLimit(maxTextLength)
  const rows: StatementRow[] = []
  for (let at = 0; at < reader.currentRowCount; at++) {
    const turn = giveWay()
    if (turn) await turn
    const row: Record<string, Cell> = {}
    for (const [column, name] of names.entries()) {
      const value = reader.value(column, at)
      const cell = toCell(isObject(value) ? toJs(value, types[column] as DuckDBType, toJs) : value)
      countText(cell)
      row[name] = cell
    }
    rows.push(row)
  }
  return rows
}

function toCell(value: unknown): Cell {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return null // not representable in JSON
  if (value === undefined) return null
  return value as Cell
}
