import { toCsvRow } from '../model/csv.ts'
import { STORED } from '../model/names/row-names.ts'
import { toRows } from '../model/query-kinds/index.ts'
import { giveWay, mapInTurns } from '../turns.ts'

/** Writes RFC 4180: a header, then one row for each period, step, cohort, link or row of the result. */
export async function toCsv(query: object, result: unknown): Promise<string> {
  await giveWay() // parsing the result took long
  const rows = await mapInTurns(toRows(query, result, STORED), toCsvRow)
  return rows.join('')
}
