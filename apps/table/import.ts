import type { App, Meta } from '../shared/app.ts'
import { keepColumns } from '../shared/columns.ts'
import { createDelivery } from '../shared/delivery.ts'
import { textSetting, toPayload, toWholeNumber } from '../shared/settings.ts'
import { createSkipped } from '../shared/skipped.ts'
import { createMapper } from './mapping.ts'
import {
  BEFORE_TIES,
  type Database,
  type RowPosition,
  requireColumn,
  type TableRow,
  toNamedColumns,
} from './table.ts'

const KEY = 'position'
const BATCH = { name: 'Rows per batch', min: 1, max: 10_000 }
/** The number of rows with the last cursor value that are remembered. Usually only a few share one. */
const MAX_TIES = 100
const REMEDY = 'Check the "Person column" and the "Time column".'

interface Position {
  readonly cursor: string
  /** The imported rows with that cursor value. */
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
  readonly keyColumns: readonly string[]
  readonly personColumns: readonly string[]
}

/**
 * Imports batches in the order of the cursor column and saves the position after each. A run starts at the last value,
 * not after it, since new rows may share it.
 */
export async function importRows(app: App, database: Database, payload: unknown): Promise<void> {
  const { meta, log } = app
  const settings = readSettings(meta)
  const table = await database.open(app, settings.connection, settings.table)
  await keepColumns(app, toNamedColumns(table.columns)) // before the settings are checked, which choose from them
  const cursor = requireColumn(table, settings.cursorColumn, 'Cursor column')
  requireColumn(table, settings.distinctIdColumn, 'Person column')
  if (settings.timestampColumn) requireColumn(table, settings.timestampColumn, 'Time column')
  for (const name of settings.keyColumns) requireColumn(table, name, 'Key columns')
  for (const name of settings.personColumns) requireColumn(table, name, 'Person properties')

  const isFromStart = toPayload(payload).from_start === true
  const position = isFromStart ? undefined : await loadPosition(meta, settings)
  const batches = table.createBatches(cursor)
  const source = `${toSource(settings, database.example)} ${table.reference}`
  const toEvent = createMapper(table, batches.columns, settings, source)
  const skipped = createSkipped(app)
  const delivery = createDelivery(app, skipped)
  const known = new Set(position?.ties)

  let after: RowPosition | undefined = position && { cursor: position.cursor, tie: BEFORE_TIES }
  let ties: readonly string[] = position?.ties ?? []
  let seen = 0
  while (true) {
    const rows = await batches.read(after, settings.batchSize)
    if (!after) await keepColumns(app, toNamedColumns(table.columns, batches.columns, rows))
    for (const row of rows) {
      if (row.place.cursor === position?.cursor && known.has(row.place.tie)) continue
      seen += 1
      const mapped = toEvent(row)
      if (typeof mapped === 'string') {
        skipped.add(`Row at ${toRowName(settings, row)}: ${mapped}`, toObject(batches.columns, row))
      } else if (delivery.add(mapped)) await delivery.keepPace()
    }
    await delivery.settle()
    if (!position) skipped.requireSome(delivery.delivered, REMEDY)
    const last = rows.at(-1)
    if (last) {
      ties = collectTies(last, rows, after?.cursor === last.place.cursor ? ties : [])
      after = last.place
      await savePosition(meta, settings, { cursor: after.cursor, ties })
    }
    meta.utils.progress(seen, null, last ? `up to ${toRowName(settings, last)}` : 'nothing new')
    if (rows.length < settings.batchSize) break
  }
  skipped.finish()
  log.info(`${seen} new rows read, ${skipped.count} skipped.`)
}

const toObject = (columns: readonly { readonly name: string }[], { values }: TableRow) =>
  Object.fromEntries(columns.map(({ name }, index) => [name, values[index]]))

const toRowName = ({ cursorColumn }: Settings, { place }: TableRow): string =>
  `${cursorColumn} ${place.cursor}`

/** Remembers none if there are too many: they are read again, but not stored again. */
function collectTies(
  last: TableRow,
  rows: readonly TableRow[],
  before: readonly string[],
): string[] {
  const here = rows.filter(({ place }) => place.cursor === last.place.cursor)
  const ties = new Set([...before, ...here.map(({ place }) => place.tie)])
  return ties.size > MAX_TIES ? [] : [...ties]
}

function readSettings(meta: Pick<Meta, 'config'>): Settings {
  const text = (key: string, defaultValue?: string) => textSetting(meta, key, defaultValue)
  const required = (key: string, name: string) => {
    if (text(key) === '') throw new Error(`The "${name}" is not set.`)
    return text(key)
  }
  return {
    connection: required('connection', 'Connection URL'),
    table: required('table', 'Table'),
    cursorColumn: text('cursor_column'),
    batchSize: toWholeNumber(text('batch_size') || '1000', BATCH),
    event: text('event') || 'imported',
    distinctIdColumn: text('distinct_id_column') || 'distinct_id',
    timestampColumn: text('timestamp_column', 'timestamp'),
    keyColumns: toNames(text('key_columns')),
    personColumns: toNames(text('person_columns')),
  }
}

const toNames = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** Identifies the database without user and password, which may change. */
function toSource({ connection }: Settings, example: string): string {
  try {
    const { host, pathname } = new URL(connection)
    return `${host}${pathname}`
  } catch {
    throw new Error(`The "Connection URL" is not valid. Use ${example}.`)
  }
}

/** Identifies the table and column to which a position belongs. */
const toOwner = ({ table, cursorColumn }: Settings): string => JSON.stringify([table, cursorColumn])

async function loadPosition({ storage }: Meta, settings: Settings): Promise<Position | undefined> {
  const kept = (await storage.get(KEY)) as (Position & { of?: string }) | undefined | null
  return kept?.of === toOwner(settings) ? kept : undefined
}

const savePosition = ({ storage }: Meta, settings: Settings, position: Position): Promise<void> =>
  storage.set(KEY, { ...position, of: toOwner(settings) })
