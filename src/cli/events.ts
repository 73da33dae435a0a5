import type { Command } from 'commander'
import { updateHasEvents } from '../analytics/installation.ts'
import { toEngine } from '../analytics/open.ts'
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
  const { place, exists } = toEngine(readConfig())
  await withStorage(async (db) => {
    if (await exists(db)) {
      throw new OperatorError(`There are events in ${place}. Move them away first.`)
    }
    await updateHasEvents(db, false)
  })
  print(format, { forgotten: true }, 'The next start begins with no events.')
}
