import type { App } from '../shared/app.ts'
import { keepColumns } from '../shared/columns.ts'
import { createDelivery } from '../shared/delivery.ts'
import { textSetting } from '../shared/settings.ts'
import { createSkipped } from '../shared/skipped.ts'
import type { Column } from './columns.ts'
import { createMapper, type Identify, type Mapping } from './mapping.ts'
import { readRows, toNamedColumns } from './rows.ts'
import { openSource, type Source } from './source.ts'

/** The storage key of the last complete import. */
const IMPORTED = 'imported'

interface Imported {
  readonly mapping: string
  readonly version: string
}

const REMEDY = 'Check the "Person column", the "Time column" and the "Delimiter".'

/** Reads the whole file. Events that are already stored are not stored again. */
export async function importNow(app: App, payload: unknown): Promise<void> {
  const source = await openSource(app, payload, undefined)
  if (source) await importFile(app, source)
}

/** Skips a file that has not changed since the last import. */
export async function importIfChanged(app: App): Promise<void> {
  const imported = (await app.meta.storage.get(IMPORTED)) as Imported | undefined | null
  const isSameMapping = imported?.mapping === JSON.stringify(readMapping(app))
  const source = await openSource(app, {}, isSameMapping ? imported.version : undefined)
  if (source) await importFile(app, source)
  else app.log.info('The file has not changed. Nothing to import.')
}

/** Imports each row of a file once, told apart by its line or by what `toIdentify` returns. */
export async function importFile(
  app: App,
  source: Source,
  toIdentify?: (columns: readonly Column[]) => Identify,
): Promise<void> {
  const { meta, log } = app
  const mapping = readMapping(app)
  const skipped = createSkipped(app)
  const delivery = createDelivery(app, skipped)
  let toEvent: ReturnType<typeof createMapper> | undefined
  let seen = 0

  for await (const part of readRows(source.bytes, textSetting(meta, 'delimiter'))) {
    if (!toEvent) await keepColumns(app, toNamedColumns(part))
    toEvent ??= createMapper(part.columns, mapping, source.identity, toIdentify?.(part.columns))
    for (const row of part.rows) {
      if (isBlank(row.fields)) continue
      seen += 1
      const mapped = toEvent(row)
      if (typeof mapped === 'string') skipped.add(`Line ${row.line}: ${mapped}`, toLine(row.fields))
      else if (delivery.add(mapped)) await delivery.keepPace()
    }
    meta.utils.progress(part.bytes, source.size, `${seen} rows read, ${skipped.count} skipped`)
  }
  await delivery.settle()
  skipped.finish()
  skipped.requireSome(delivery.delivered, REMEDY)
  log.info(`${seen} rows read, ${delivery.delivered} imported, ${skipped.count} skipped.`)
  const version = source.version()
  if (version) await meta.storage.set(IMPORTED, { mapping: JSON.stringify(mapping), version })
}

/** Writes the fields as a line of CSV again. */
const toLine = (fields: readonly string[]): string =>
  fields
    .map((field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field))
    .join(',')

const isBlank = (fields: readonly string[]): boolean => fields.length === 1 && fields[0] === ''

const readMapping = ({ meta }: App): Mapping => ({
  event: textSetting(meta, 'event') || 'imported',
  distinctIdColumn: textSetting(meta, 'distinct_id_column') || 'distinct_id',
  timestampColumn: textSetting(meta, 'timestamp_column', 'timestamp'),
})
