import type { DuckDBDataChunk, DuckDBResult } from '@duckdb/node-api'
import { isObject } from '#model/json.ts'
import { giveWay } from '#server/turns.ts'
import type { Cell, StatementRow } from '../event-table.ts'
import { createTextLimit } from '../text-limit.ts'
import { loadDuckDb } from './load.ts'

/** Converts the rows of a statement chunk by chunk, in as many turns of the event loop as it takes. */
export async function toStatementRows(
  result: DuckDBResult,
  maxTextLength?: number,
): Promise<StatementRow[]> {
  const { JSDuckDBValueConverter: toJs } = await loadDuckDb()
  const names = result.deduplicatedColumnNames()
  const countText = createTextLimit(maxTextLength)

  function toRow(chunk: DuckDBDataChunk, at: number): StatementRow {
    const row: Record<string, Cell> = {}
    for (const [column, name] of names.entries()) {
      const vector = chunk.getColumnVector(column)
      const value = vector.getItem(at)
      const cell = toCell(isObject(value) ? toJs(value, vector.type, toJs) : value)
      countText(cell)
      row[name] = cell
    }
    return row
  }

  const rows: StatementRow[] = []
  for await (const chunk of result) {
    const { rowCount } = chunk
    for (let at = 0; at < rowCount; at++) {
      const turn = giveWay()
      if (turn) await turn
      rows.push(toRow(chunk, at))
    }
  }
  return rows
}

function toCell(value: unknown): Cell {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return null // not representable in JSON
  if (value === undefined) return null
  return value as Cell
}
