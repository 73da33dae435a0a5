import type { App, Meta } from '../shared/app.ts'
import { createDelivery } from '../shared/delivery.ts'
import { textSetting, toPayload, toWholeNumber } from '../shared/settings.ts'
import { createSkipped } from '../shared/skipped.ts'
import { BEFORE_TIES, createBatches, type Place, type TableRow } from './batches.ts'
import { createMapper } from './mapping.ts'
import { createQuery, findTable, requireColumn } from './table.ts'

const KEY = 'position'
const BATCH = { name: 'Rows per batch', least: 1, most: 10_000 }
/** Of the rows with the last cursor value: enough to recognise the few that usually share one. */
const TIES_KEPT = 100
const WHAT_TO_DO = 'Check the "Person column" and the "Time column".'

interface Position {
  readonly cursor: string
  /** The rows of that value that are imported already. */
  readonly ties: readonly string[]
}

interface Settings {
  readonly connection: string
  readonly table: string
  readonly cursorColumn: string
  readonly batchSize: number
  readonly event: string
  readonly distinctIdColumn: string
  readonly timestampColumn: string
}

/**
 * Reads batch after batch in the order of the cursor column, and keeps the place after each. A run begins with the last
 * value, not behind it: rows that share it may have come since.
 */
export async function importRows(app: App, payload: unknown): Promise<void> {
  const { meta, log } = app
  const settings = readSettings(meta)
  const query = createQuery(meta, settings.connection)
  const table = await findTable(query, settings.table)
  const cursor = requireColumn(table, settings.cursorColumn, 'Cursor column')
  requireColumn(table, settings.distinctIdColumn, 'Person column')
  if (settings.timestampColumn) requireColumn(table, settings.timestampColumn, 'Time column')

  const isFromStart = toPayload(payload).from_start === true
  const position = isFromStart ? undefined : await loadPosition(meta, settings)
  const batches = createBatches(query, table, cursor)
  const toEvent = createMapper(batches.columns, settings, sourceOf(settings, table.reference))
  const skipped = createSkipped(log)
  const delivery = createDelivery(app, skipped)
  const known = new Set(position?.ties)

  let after: Place | undefined = position && { cursor: position.cursor, tie: BEFORE_TIES }
  let ties: readonly string[] = position?.ties ?? []
  let seen = 0
  while (true) {
    const rows = await batches.read(after, settings.batchSize)
    for (const row of rows) {
      if (row.place.cursor === position?.cursor && known.has(row.place.tie)) continue
      seen += 1
      const mapped = toEvent(row)
      if (typeof mapped === 'string') skipped.add(`The row at ${nameOf(settings, row)} ${mapped}`)
      else if (delivery.add(mapped)) await delivery.keepPace()
    }
    await delivery.settle()
    if (!position) skipped.requireSome(delivery.delivered, WHAT_TO_DO)
    const last = rows.at(-1)
    if (last) {
      ties = tiesOf(last, rows, after?.cursor === last.place.cursor ? ties : [])
      after = last.place
      await savePosition(meta, settings, { cursor: after.cursor, ties })
    }
    meta.utils.progress(seen, null, last ? `up to ${nameOf(settings, last)}` : 'nothing new')
    if (rows.length < settings.batchSize) break
  }
  skipped.finish()
  log.info(`${seen} new rows read, ${skipped.count} left out.`)
}

const nameOf = ({ cursorColumn }: Settings, { place }: TableRow): string =>
  `${cursorColumn} ${place.cursor}`

/** With too many, none are kept: they are read again, and are not stored again. */
function tiesOf(last: TableRow, rows: readonly TableRow[], before: readonly string[]): string[] {
  const here = rows.filter(({ place }) => place.cursor === last.place.cursor)
  const ties = new Set([...before, ...here.map(({ place }) => place.tie)])
  return ties.size > TIES_KEPT ? [] : [...ties]
}

function readSettings(meta: Pick<Meta, 'config'>): Settings {
  const text = (key: string, byDefault?: string) => textSetting(meta, key, byDefault)
  const required = (key: string, name: string) => {
    if (text(key) === '') throw new Error(`The "${name}" is not set.`)
    return text(key)
  }
  return {
    connection: required('connection', 'Connection URL'),
    table: required('table', 'Table'),
    cursorColumn: required('cursor_column', 'Cursor column'),
    batchSize: toWholeNumber(text('batch_size') || '1000', BATCH),
    event: text('event') || 'imported',
    distinctIdColumn: text('distinct_id_column') || 'distinct_id',
    timestampColumn: text('timestamp_column', 'timestamp'),
  }
}

/** Without user and password, which may change while the table stays the same. */
function sourceOf({ connection }: Settings, reference: string): string {
  try {
    const { host, pathname } = new URL(connection)
    return `${host}${pathname} ${reference}`
  } catch {
    throw new Error(
      'The "Connection URL" is no URL. It looks like postgres://user:password@host/database.',
    )
  }
}

/** A place belongs to the table and column it was reached in. */
const belongsTo = ({ table, cursorColumn }: Settings): string =>
  JSON.stringify([table, cursorColumn])

async function loadPosition({ storage }: Meta, settings: Settings): Promise<Position | undefined> {
  const kept = (await storage.get(KEY)) as (Position & { of?: string }) | undefined | null
  return kept?.of === belongsTo(settings) ? kept : undefined
}

const savePosition = ({ storage }: Meta, settings: Settings, position: Position): Promise<void> =>
  storage.set(KEY, { ...position, of: belongsTo(settings) })
