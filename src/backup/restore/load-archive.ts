import type { Installation } from '#server/analytics/installation.ts'
import { MIGRATIONS, migrateIn } from '#server/db/migrate.ts'
import type { Tx } from '#server/db/schema.ts'
import { flag, uuid } from '#server/db/values.ts'
import { OperatorError } from '#server/errors.ts'
import type { Archive } from '../archive/read-archive.ts'
import { METADATA_TABLE_NAMES } from '../metadata/tables.ts'
import { loadMetadata } from './load-metadata.ts'

/** Throws if a newer version wrote the archive, or if it would fill a table that no backup contains. */
export function requireKnownSchema({ manifest }: Archive): void {
  const unknown = manifest.migrations.filter((name) => !MIGRATIONS.some((one) => one.name === name))
  if (unknown.length > 0) {
    throw new OperatorError(
      `The backup has a newer schema (${unknown.join(', ')}) than this version of Hedgerow knows. Restore it with Hedgerow ${manifest.version} or newer.`,
    )
  }
  const earliest = MIGRATIONS.slice(0, manifest.migrations.length)
  if (!earliest.every(({ name }) => manifest.migrations.includes(name))) {
    throw new OperatorError('The backup has a schema that no version had. Use another one.')
  }
  const isUnknown = (table: string) => !METADATA_TABLE_NAMES.some((name) => name === table)
  const table = Object.keys(manifest.tables).find(isUnknown)
  if (table !== undefined) {
    throw new OperatorError(`The backup has an unknown table: ${table}. Use another one.`)
  }
}

/** Creates the tables of the archive's version, fills them and migrates them to this version. */
export async function loadDatabase(
  tx: Tx,
  archive: Archive,
  hasEvents: boolean,
): Promise<Installation> {
  const { migrations, tables } = archive.manifest
  await migrateIn(
    tx,
    MIGRATIONS.filter(({ name }) => migrations.includes(name)),
  )
  requireCounts(await loadMetadata(tx, archive), tables)
  await migrateIn(tx)
  const installation = { id: uuid(), has_events: flag(hasEvents) }
  await tx.deleteFrom('installation').execute()
  await tx
    .insertInto('installation')
    .values({ only_row: 1, ...installation })
    .execute()
  return installation
}

/** Throws if other rows were restored than the archive has. */
export function requireCounts(
  found: Readonly<Record<string, number>>,
  expected: Readonly<Record<string, number>>,
): void {
  for (const [table, count] of Object.entries(expected)) {
    if ((found[table] ?? 0) === count) continue
    throw new OperatorError(
      `The backup is wrong: ${table} has ${found[table] ?? 0} rows instead of ${count}. Nothing was changed.`,
    )
  }
}

export const hasEvents = ({ manifest }: Archive): boolean =>
  Object.values(manifest.event_tables).some((count) => count > 0)
