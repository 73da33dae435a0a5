import type { Command } from 'commander'
import { pino } from 'pino'
import { readConfig } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { openServices } from '../services.ts'
import { startWorker } from '../worker/worker.ts'
import { parseRuns, RUNS_AT_ONCE } from './arguments.ts'
import { keepHeapSmall } from './garbage.ts'
import { type Format, print, withFormat } from './print.ts'
import { stopOnSignals } from './signals.ts'

export function define(command: Command): void {
  withFormat(command, 'worker')
    .option('--runs <number>', 'how many runs at once', parseRuns, RUNS_AT_ONCE)
    .addHelpText('after', '\nSettings come from the environment: see docs/operating.md')
    .action(work)
}

async function work({ runs, ...format }: Format & { runs: number }): Promise<void> {
  const config = readConfig()
  if (!config.databaseUrl) {
    throw new OperatorError(
      'Workers apart from the server need PostgreSQL: set DATABASE_URL. On SQLite `hedgerow serve` runs the apps itself.',
    )
  }
  const log = pino({ level: config.logLevel }, process.stderr)
  const services = await openServices(config, (message) => log.warn(message))
  const worker = startWorker(services, { log, concurrency: runs, origin: () => config.url })
  stopOnSignals(log, async () => {
    await worker.stop()
    await services.close()
  })
  keepHeapSmall()
  print(format, { pid: process.pid, runs }, `A worker is ready for ${runs} runs at once.`)
}
