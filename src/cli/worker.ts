import type { Command } from 'commander'
import { pino } from 'pino'
import { readConfig } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { openServices } from '../services.ts'
import { startWorker } from '../worker/worker.ts'
import { DEFAULT_RUNS, parseRuns } from './arguments.ts'
import { keepHeapSmall } from './garbage.ts'
import { type OutputFormat, print, withFormat } from './print.ts'
import { stopOnSignals } from './signals.ts'

export function define(command: Command): void {
  withFormat(command, 'worker')
    .option('--runs <number>', 'number of concurrent runs', parseRuns, DEFAULT_RUNS)
    .addHelpText('after', '\nSettings are environment variables: see docs/operating.md')
    .action(work)
}

async function work({ runs, ...format }: OutputFormat & { runs: number }): Promise<void> {
  const config = readConfig()
  if (!config.databaseUrl) {
    throw new OperatorError(
      'A separate worker needs PostgreSQL: set DATABASE_URL. On SQLite, `hedgerow serve` runs the apps.',
    )
  }
  const log = pino({ level: config.logLevel }, process.stderr)
  const services = await openServices(config, (message) => log.warn(message))
  const worker = startWorker(services, {
    log,
    concurrency: runs,
    origin: () => config.url,
    backups: config.backups && { schedule: config.backups, source: config },
  })
  stopOnSignals(log, {
    async close() {
      await worker.stop()
      await services.close()
    },
    hasStuckThread: () => services.runaways.running > 0,
  })
  keepHeapSmall()
  print(format, { pid: process.pid, runs }, `Worker ready: up to ${runs} concurrent runs.`)
}
