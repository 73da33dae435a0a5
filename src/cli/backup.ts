import type { Command } from 'commander'
import { pluralize } from '#model/pluralize.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { openArchive } from '../backup/archive/read-archive.ts'
import { createBackup } from '../backup/create-backup.ts'
import { readConfig } from '../config.ts'
import { type OutputFormat, print, toMegabytes, withFormat } from './print.ts'
import { createProgressPrinter } from './progress.ts'

export function define(command: Command): void {
  withFormat(command, 'backup /backups/monday.tar')
    .argument('<file>', 'the file to create')
    .option('--with-key', 'include the key that decrypts the secrets')
    .addHelpText(
      'after',
      '\nServers can keep running. Keep a file with the key as safe as the key itself.',
    )
    .action(runBackup)
  withFormat(command.command('verify'), 'backup verify /backups/monday.tar')
    .description('check that a backup is complete and undamaged')
    .argument('<file>', 'the backup')
    .action(verifyBackup)
}

interface Options extends OutputFormat {
  readonly withKey?: boolean
}

async function runBackup(file: string, { withKey = false, ...format }: Options): Promise<void> {
  const summary = await createBackup(file, {
    ...readConfig(),
    withKey,
    version: packageJson.version,
    onProgress: createProgressPrinter('events'),
  })
  const lines = [
    `Backed up ${pluralize(summary.events, 'event')}, ${pluralize(summary.rows, 'other row')} and ${summary.files} MiB of files to ${summary.path} (${toMegabytes(summary.bytes)}).`,
    withKey
      ? 'It includes the secret key: keep it as safe as the key itself.'
      : 'It does not include the secret key, without which it cannot be restored. Back up the key separately.',
  ]
  print(format, summary, lines.join('\n'))
}

async function verifyBackup(file: string, _: object, command: Command): Promise<void> {
  const format = command.optsWithGlobals<OutputFormat>() // `backup` has --json too and takes it first
  const archive = await openArchive(file, createProgressPrinter('bytes checked'))
  await archive.close()
  const { created_at, version, event_tables, includes_key, members } = archive.manifest
  const { events = 0 } = event_tables
  print(
    format,
    { ok: true, created_at, version, events, members: members.length, includes_key },
    `The backup of ${created_at} is complete: ${pluralize(events, 'event')}, ${pluralize(members.length, 'checksum')} match. It ${includes_key ? 'includes' : 'does not include'} the secret key.`,
  )
}
