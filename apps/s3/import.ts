import type { App } from '../shared/app.ts'
import { keepColumns, type NamedColumn } from '../shared/columns.ts'
import { createDelivery, type Delivery } from '../shared/delivery.ts'
import { isTemporary } from '../shared/retries.ts'
import { textSetting } from '../shared/settings.ts'
import { createSkipped, type Skipped } from '../shared/skipped.ts'
import { type Bucket, openBucket } from './bucket.ts'
import { createFinished, type Finished } from './finished.ts'
import { type FileInfo, listFiles } from './list.ts'
import { openFile } from './object.ts'
import { type Format, findFormat, type Mapping, readRows } from './rows.ts'

/** Rows after which the place in a file is saved. */
const CHECKPOINT = 20_000
/** Files that cannot be read. More of them mean that the settings are wrong. */
const MAX_FAILED = 10

interface Run {
  readonly app: App
  readonly bucket: Bucket
  readonly mapping: Mapping
  readonly finished: Finished
  readonly skipped: Skipped
  /** Keeps the columns of the first file that is read. */
  readonly onColumns: (columns: readonly NamedColumn[]) => Promise<unknown>
}

/** Imports the files that are new or changed since they were imported. One that cannot be read stops no others. */
export async function importFiles(app: App): Promise<void> {
  const { meta, log } = app
  const bucket = openBucket(app)
  const mapping: Mapping = {
    event: textSetting(meta, 'event') || 'file row',
    distinctIdField: textSetting(meta, 'distinct_id_field') || 'distinct_id',
    timestampField: textSetting(meta, 'timestamp_field', 'timestamp'),
  }
  const finished = createFinished(meta, JSON.stringify([bucket.name, Object.values(mapping)]))
  const skipped = createSkipped(app)
  let keeping: Promise<unknown> | undefined
  const onColumns: Run['onColumns'] = (columns) => (keeping ??= keepColumns(app, columns))
  const run: Run = { app, bucket, mapping, finished, skipped, onColumns }
  const counts = { imported: 0, unchanged: 0, others: 0 }
  const failures: Error[] = []

  for await (const files of listFiles(bucket, textSetting(meta, 'prefix'))) {
    for (const file of files) {
      const format = chooseFormat(textSetting(meta, 'format'), file)
      if (!format) counts.others += 1
      else if (await finished.has(file)) counts.unchanged += 1
      else {
        try {
          await importFile(run, file, format)
          counts.imported += 1
        } catch (error) {
          if (isTemporary(error)) throw error
          failures.push(error as Error)
          if (failures.length === MAX_FAILED) throw toFailure(failures)
        }
      }
    }
  }
  skipped.finish()
  log.info(
    `${counts.imported} files imported, ${counts.unchanged} unchanged, ${counts.others} of other formats.`,
  )
  if (failures.length > 0) throw toFailure(failures)
}

function toFailure(failures: readonly Error[]): Error {
  const [first] = failures
  const others = failures.length > 1 ? ` ${failures.length - 1} other files failed too.` : ''
  return new Error(`${first?.message}${others}`)
}

/** Folders are empty files whose names end in a slash. */
function chooseFormat(setting: string, { key, size }: FileInfo): Format | undefined {
  if (size === 0 || key.endsWith('/')) return undefined
  const isChosen = setting === 'csv' || setting === 'json lines' || setting === 'parquet'
  return isChosen ? setting : findFormat(key)
}

async function importFile(
  { app, bucket, mapping, finished, skipped, onColumns }: Run,
  info: FileInfo,
  format: Format,
): Promise<void> {
  const delivery: Delivery = createDelivery(app, skipped)
  const done = await finished.rowsOf(info)
  const source = `s3://${bucket.name}/${info.key}`
  let rows = done
  let saved = done
  try {
    const file = openFile(app, bucket, info)
    for await (const batch of readRows(file, format, mapping, { source, done, onColumns })) {
      for (const { place, mapped, row } of batch) {
        rows += 1
        if (typeof mapped === 'string') skipped.add(`${info.key}, ${place}: ${mapped}`, row)
        else if (delivery.add(mapped)) await delivery.keepPace()
      }
      app.meta.utils.progress(rows, null, `${info.key}: ${rows} rows`)
      if (rows - saved < CHECKPOINT) continue
      await delivery.settle()
      await finished.saveRows(info, rows)
      saved = rows
    }
  } catch (error) {
    // what was read is stored, so the next attempt can begin behind it
    await delivery.settle()
    if (rows > saved) await finished.saveRows(info, rows)
    const named = error as Error
    const isNamed = named.message.includes(info.key)
    throw isNamed ? named : Object.assign(named, { message: `"${info.key}": ${named.message}` })
  }
  await delivery.settle()
  await finished.add(info)
  app.log.info(`${info.key}: ${rows - done} rows read.`)
}
