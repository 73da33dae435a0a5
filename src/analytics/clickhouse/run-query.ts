import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client'
import { invalid } from '#server/errors.ts'
import { giveWay } from '#server/turns.ts'
import type { Cell, EventQuery, StatementRow } from '../event-table.ts'
import { DEFAULT_TIMEOUT_MS, outOfMemory, queryTimeout } from '../query-errors.ts'
import { createTextLimit } from '../text-limit.ts'
import { toEventTable } from './event-table.ts'
import { OUTPUT, PLANNING, SEMANTICS } from './settings.ts'
import { translate } from './translate.ts'

export async function runEventQuery(
  client: ClickHouseClient,
  projectId: number,
  { toSql, timeoutMs = DEFAULT_TIMEOUT_MS, signal, maxTextLength, effort: _, ...needs }: EventQuery,
): Promise<StatementRow[]> {
  const { text, columns } = await translate(toSql(toEventTable(projectId, needs)))
  try {
    const result = await client.query({
      query: text,
      format: 'JSONCompactEachRow',
      clickhouse_settings: {
        ...SEMANTICS,
        ...OUTPUT,
        ...PLANNING,
        max_execution_time: Math.ceil(timeoutMs / 1000),
      },
      ...(signal && { abort_signal: signal }),
    })
    return await readRows(result.stream<Cell[]>(), [...columns.keys()], maxTextLength)
  } catch (error) {
    signal?.throwIfAborted()
    throw error instanceof ClickHouseError ? toApiError(error, timeoutMs) : error
  }
}

type Batches = AsyncIterable<readonly { json(): Cell[] }[]>

/** Reads the rows as they arrive, in as many turns of the event loop as it takes. */
async function readRows(
  batches: Batches,
  names: readonly string[],
  maxTextLength: number | undefined,
): Promise<StatementRow[]> {
  const countText = createTextLimit(maxTextLength)
  const rows: StatementRow[] = []
  for await (const batch of batches) {
    for (const row of batch) {
      const turn = giveWay()
      if (turn) await turn
      const cells = row.json()
      for (const cell of cells) countText(cell)
      rows.push(Object.fromEntries(names.map((name, index) => [name, cells[index] ?? null])))
    }
  }
  return rows
}

/** The codes of errors that are the query's own. */
const TIMEOUT = '159'
const MEMORY = new Set(['241', '173'])
/** Values that cannot be converted, divided or matched. */
const VALUES = new Set(['6', '27', '53', '69', '70', '153', '427'])

function toApiError(error: ClickHouseError, timeoutMs: number): unknown {
  if (error.code === TIMEOUT) return queryTimeout(timeoutMs)
  if (MEMORY.has(error.code)) return outOfMemory()
  if (VALUES.has(error.code)) return invalid('query', error.message)
  return error
}
