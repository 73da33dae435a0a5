import type { Command } from 'commander'
import type { OnProgress } from '../analytics/event-store.ts'
import { openEventStore } from '../analytics/open.ts'
import { createPace } from '../concurrency.ts'
import { readConfig } from '../config.ts'
import { type OutputFormat, print, withFormat } from './print.ts'
import { withStorage } from './storage.ts'

export function define(command: Command): void {
  withFormat(command.command('rebuild'), 'persons rebuild')
    .description('derive all persons from the events again')
    .addHelpText(
      'after',
      '\nWithout DATABASE_URL the server must be stopped. A rebuild that was interrupted goes on where it was.',
    )
    .action(rebuild)
}

async function rebuild(format: OutputFormat): Promise<void> {
  const startedAt = performance.now()
  let events = 0
  const showProgress = createProgressPrinter()
  const onProgress: OnProgress = (done, total) => {
    events = total
    showProgress(done, total)
  }
  await withStorage(async (db) => {
    const store = openEventStore({ ...readConfig(), db, onProgress })
    try {
      await store.rebuildPersons(onProgress)
    } finally {
      await store.close()
    }
  })
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  print(format, { events, seconds }, `Derived the persons of ${events} events in ${seconds} s.`)
}

const PROGRESS_INTERVAL_MS = 1000

/** Prints a progress line at intervals; on a terminal, each replaces the previous one. */
function createProgressPrinter(): OnProgress {
  const isTerminal = process.stderr.isTTY
  const isDue = createPace(PROGRESS_INTERVAL_MS)
  return (done, total) => {
    const isLast = done === total
    if (!isDue() && !isLast) return
    const percent = Math.floor((100 * done) / total)
    const line = `${percent} %, ${done} of ${total} events`
    process.stderr.write(isTerminal ? `\r${line}${isLast ? '\n' : ''}` : `${line}\n`)
  }
}
