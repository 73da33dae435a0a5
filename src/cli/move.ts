import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { pluralize } from '#model/pluralize.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { toEngine } from '../analytics/open.ts'
import { moveStorage } from '../backup/move.ts'
import { type Config, readConfig } from '../config.ts'
import { SQLITE_FILE } from '../db/connect-sqlite.ts'
import type { StorageOptions } from '../db/open.ts'
import { KEY_FILE } from '../secrets/key-file.ts'
import { type OutputFormat, print, withFormat } from './print.ts'
import { createProgressPrinter } from './progress.ts'

export function define(command: Command): void {
  withFormat(command, 'move --to postgres://user:password@host/database')
    .requiredOption('--to <target>', 'postgres://... or a data folder; must be empty', parseTarget)
    .addHelpText(
      'after',
      '\nStop all servers and workers first. The old storage stays as it is.\nThe temporary archive needs as much room as a backup.',
    )
    .action(move)
}

function parseTarget(text: string): string {
  if (text !== '' && (isPostgresUrl(text) || !text.includes('://'))) return text
  throw new InvalidArgumentError('Use postgres://... or a folder.')
}

const isPostgresUrl = (text: string): boolean => /^postgres(ql)?:\/\//.test(text)

async function move({ to, ...format }: OutputFormat & { readonly to: string }): Promise<void> {
  const config = readConfig()
  const target: StorageOptions = isPostgresUrl(to)
    ? { dataFolder: config.dataFolder, databaseUrl: to }
    : { dataFolder: resolve(to), databaseUrl: undefined }
  const events = await moveStorage({
    ...config,
    target,
    version: packageJson.version,
    onBackup: createProgressPrinter('events read'),
    onCheck: createProgressPrinter('bytes checked', true),
    onRestore: createProgressPrinter('events written'),
  })
  const next = toNextStep(config, target)
  const lines = [
    `Moved everything, with ${pluralize(events, 'event')}.`,
    next,
    `The old storage is unchanged. ${toLastStep(config, target)}`,
  ]
  print(format, { events, next }, lines.join('\n'))
}

/** The address may contain a password, so it is not repeated. */
function toNextStep({ databaseUrl, secretKey }: Config, target: StorageOptions): string {
  if (target.databaseUrl) {
    const rest = secretKey === undefined ? ' Keep HEDGEROW_DATA: the secret key is there.' : ''
    return `Set DATABASE_URL to the new database, then start the server.${rest}`
  }
  const rest = databaseUrl ? ', unset DATABASE_URL' : ''
  return `Set HEDGEROW_DATA=${target.dataFolder}${rest}, then start the server.`
}

/** The key stays in the data folder, so the folder must not be deleted as a whole. */
function toLastStep(config: Config, target: StorageOptions): string {
  if (!target.databaseUrl || config.databaseUrl || config.secretKey !== undefined) {
    return 'Delete it when the new one works.'
  }
  const files = [SQLITE_FILE, ...toEngine(config).files].join(' and ')
  return `When the new one works, delete ${files}, but keep ${KEY_FILE}.`
}
