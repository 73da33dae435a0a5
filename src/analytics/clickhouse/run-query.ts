import { randomUUID } from 'node:crypto'
import { ClickHouseError } from '@clickhouse/client'
import { invalid } from '#server/errors.ts'
import { giveWay } from '#server/turns.ts'
import type { Cell, EventQuery, StatementRow } from '../event-table.ts'
import { DEFAULT_TIMEOUT_MS, outOfMemory, queryTimeout } from '../query-errors.ts'
import type { Runaways } from '../runaways.ts'
import { createTextLimit } from '../text-limit.ts'
import { type ClickHouse, toUnavailable } from './connection.ts'
import { type EventState, toEventTable } from './event-table.ts'
import { toEstimate } from './explain.ts'
import { READING } from './settings.ts'
import { translate } from './translate.ts'

interface Deps {
  readonly clickHouse: ClickHouse
  readonly runaways: Runaways
}

export async function runEventQuery(
  { clickHouse, runaways }: Deps,
  projectId: number,
  state: EventState,
  { toSql, timeoutMs = DEFAULT_TIMEOUT_MS, signal, maxTextLength, effort: _, ...needs }: EventQuery,
): Promise<StatementRow[]> {
  const { text, columns } = await translate(toSql(toEventTable(projectId, state, needs)))
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
  const stop = AbortSignal.any([timeout.signal, ...(signal ? [signal] : [])])
  const query_id = randomUUID()
  const run = async (query: string): Promise<StatementRow[]> => {
    const result = await clickHouse.client.query({
      query,
      query_id,
      format: 'JSONCompactEachRow',
      clickhouse_settings: {
        ...READING,
        max_execution_time: Math.ceil(timeoutMs / 1000),
        cancel_http_readonly_queries_on_client_close: 1, // a client that does not wait ends its query
        readonly: '2',
      },
      abort_signal: stop,
    })
    return readRows(result.stream<Cell[]>(), [...columns.keys()], maxTextLength)
  }
  const estimate = toEstimate(text)
  const runOrEstimate = () =>
    run(text).catch((error) => {
      if (estimate === undefined || (error as ClickHouseError).code !== SYNTAX) throw error
      return run(estimate)
    })
  try {
    return await runaways.watch(runOrEstimate(), stop, () =>
      clickHouse.run(
        `kill query ${clickHouse.layout.onCluster} where query_id = '${query_id}' async`,
      ),
    )
  } catch (error) {
    signal?.throwIfAborted()
    if (timeout.signal.aborted) throw queryTimeout(timeoutMs)
    if (error instanceof ClickHouseError) throw toApiError(error, timeoutMs, clickHouse.place)
    throw toUnavailable(error, clickHouse.place) ?? error
  } finally {
    clearTimeout(timer)
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
/** A server before 26.7 does not know the statement. */
const SYNTAX = '62'
const MEMORY = new Set(['241', '173'])
/** Values that cannot be converted, divided or matched. */
const VALUES = new Set(['6', '27', '53', '69', '70', '153', '427'])

function toApiError(error: ClickHouseError, timeoutMs: number, place: string): unknown {
  if (error.code === TIMEOUT) return queryTimeout(timeoutMs)
  if (MEMORY.has(error.code)) return outOfMemory()
  if (VALUES.has(error.code)) return invalid('query', error.message)
  return toUnavailable(error, place) ?? error
}
