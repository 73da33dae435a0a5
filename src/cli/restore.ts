import type { Command } from 'commander'
import { pluralize } from '#model/pluralize.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { restoreBackup } from '../backup/restore/restore.ts'
import { readConfig } from '../config.ts'
import { type OutputFormat, print, withFormat } from './print.ts'
import { createProgressPrinter } from './progress.ts'

export function define(command: Command): void {
  withFormat(command, 'restore /backups/monday.tar')
    .argument('<file>', 'the backup')
    .option('--replace', 'back up what is there, then overwrite it')
    .addHelpText(
      'after',
      '\nStop all servers and workers first. The backup can come from any storage: a data folder, PostgreSQL or ClickHouse.',
    )
    .action(restore)
}

interface Options extends OutputFormat {
  readonly replace?: boolean
}

async function restore(file: string, { replace = false, ...format }: Options): Promise<void> {
  const { manifest, previous } = await restoreBackup(file, {
    ...readConfig(),
    replace,
    version: packageJson.version,
    onCheck: createProgressPrinter('bytes checked', true),
    onProgress: createProgressPrinter('events'),
  })
  const { created_at, event_tables } = manifest
  const { events = 0 } = event_tables
  const lines = [`Restored the backup of ${created_at}: ${pluralize(events, 'event')}.`]
  if (previous) lines.push(`What was there before is in ${previous}.`)
  print(format, { created_at, events, previous: previous ?? null }, lines.join('\n'))
}
