import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { EVENTS_FILE } from '../analytics/duckdb/file.ts'
import { updateHasEvents } from '../analytics/installation.ts'
import { hasEventTables } from '../analytics/postgres/tables.ts'
import { readConfig } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { type OutputFormat, print, withFormat } from './print.ts'
import { withStorage } from './storage.ts'

export function define(command: Command): void {
  withFormat(command.command('forget'), 'events forget')
    .description('continue without lost events')
    .action(forgetEvents)
}

/** Refuses if there are events, because it must not delete any. */
async function forgetEvents(format: OutputFormat): Promise<void> {
  const { dataFolder, databaseUrl } = readConfig()
  const path = join(dataFolder, EVENTS_FILE)
  await withStorage(async (db) => {
    const isThere = databaseUrl ? await hasEventTables(db) : existsSync(path)
    if (isThere) {
      throw new OperatorError(
        `There are events in ${databaseUrl ? 'PostgreSQL' : path}. Move them away first.`,
      )
    }
    await updateHasEvents(db, false)
  })
  print(format, { forgotten: true }, 'The next start begins with no events.')
}
