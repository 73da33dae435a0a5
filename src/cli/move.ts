import { resolve } from 'node:path'
import type { Command } from 'commander'
import { pluralize } from '#model/pluralize.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { toEngine } from '../analytics/open.ts'
import { moveStorage } from '../backup/move.ts'
import { CLICKHOUSE_DEFAULTS, toClickHouseUrl, toCluster } from '../config/clickhouse.ts'
import { type Config, readConfig } from '../config.ts'
import { SQLITE_FILE } from '../db/connect-sqlite.ts'
import type { StorageOptions } from '../db/open.ts'
import { KEY_FILE } from '../secrets/key-file.ts'
import { type OutputFormat, print, withFormat } from './print.ts'
import { createProgressPrinter } from './progress.ts'

export function define(command: Command): void {
  withFormat(command, 'move --to postgres://user:password@host/database')
    .requiredOption('--to <target>', 'postgres://... or a data folder; must be empty')
    .option('--events-to <target>', 'clickhouse://... for the events, with --to postgres://...')
    .option('--events-cluster <name>', 'cluster of ClickHouse, with --events-to')
    .addHelpText(
      'after',
      '\nStop all servers and workers first. The old storage stays as it is.\nThe temporary archive needs as much room as a backup.\nThe settings are those of the old storage: DATABASE_URL, EVENTS_URL and HEDGEROW_DATA.',
    )
    .action(move)
}

interface Options extends OutputFormat {
  readonly to: string
  readonly eventsTo?: string
  readonly eventsCluster?: string
}

async function move(options: Options, command: Command): Promise<void> {
  const problems: string[] = []
  const place = toPlace(options, problems)
  // not as an invalid argument: its message would repeat the address, which may contain a password
  if (problems.length > 0) command.error(problems.join(' '))
  const config = readConfig()
  const target: StorageOptions = { dataFolder: config.dataFolder, ...place }
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
  print(options, { events, next }, lines.join('\n'))
}

type Place = Pick<StorageOptions, 'databaseUrl' | 'clickHouse'> & { readonly dataFolder?: string }

/** Returns the place that the options name. Adds to the problems. */
function toPlace({ to, eventsTo, eventsCluster }: Options, problems: string[]): Place {
  const isPostgres = /^postgres(ql)?:\/\//.test(to)
  if (!isPostgres && (to === '' || to.includes('://'))) {
    problems.push('--to must be postgres://... or a folder.')
  } else if (!isPostgres && eventsTo !== undefined) {
    problems.push('--events-to needs --to postgres://...: events pass through PostgreSQL.')
  }
  const cluster = toCluster('--events-cluster', eventsCluster, problems)
  if (cluster !== undefined && eventsTo === undefined) {
    problems.push('--events-cluster needs --events-to.')
  }
  if (!isPostgres) return { dataFolder: resolve(to), databaseUrl: undefined }
  if (eventsTo === undefined) return { databaseUrl: to }
  const url = toClickHouseUrl('--events-to', eventsTo, problems)
  return { databaseUrl: to, clickHouse: { ...CLICKHOUSE_DEFAULTS, url, cluster } }
}

/** Tells which settings to change. The addresses may contain passwords, so they are not repeated. */
export function toNextStep(config: Config, target: StorageOptions): string {
  const { dataFolder, databaseUrl, clickHouse } = target
  const cluster = clickHouse?.cluster
  const set = clickHouse
    ? 'DATABASE_URL and EVENTS_URL to the new databases'
    : databaseUrl
      ? 'DATABASE_URL to the new database'
      : `HEDGEROW_DATA=${dataFolder}`
  const unset = [
    ...(config.databaseUrl && !databaseUrl ? ['DATABASE_URL'] : []),
    ...(config.clickHouse && !clickHouse ? ['EVENTS_URL'] : []),
    ...(config.clickHouse?.cluster && !cluster ? ['EVENTS_CLUSTER'] : []),
  ]
  const steps = [
    `Set ${set}`,
    ...(cluster ? [`set EVENTS_CLUSTER=${cluster}`] : []),
    ...(unset.length > 0 ? [`unset ${unset.join(' and ')}`] : []),
    'then start the server.',
  ]
  const keepsKey = databaseUrl && config.secretKey === undefined
  return `${steps.join(', ')}${keepsKey ? ' Keep HEDGEROW_DATA: the secret key is there.' : ''}`
}

/** The key stays in the data folder, so the folder must not be deleted as a whole. */
function toLastStep(config: Config, target: StorageOptions): string {
  if (!target.databaseUrl || config.databaseUrl || config.secretKey !== undefined) {
    return 'Delete it when the new one works.'
  }
  const files = [SQLITE_FILE, ...toEngine(config).files].join(' and ')
  return `When the new one works, delete ${files}, but keep ${KEY_FILE}.`
}
