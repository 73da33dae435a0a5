import type { Command } from 'commander'
import type { OnProgress } from '../analytics/event-store.ts'
import { openEventStore } from '../analytics/open.ts'
import { readConfig } from '../config.ts'
import { type OutputFormat, print, withFormat } from './print.ts'
import { createProgressPrinter } from './progress.ts'
import { withStorage } from './storage.ts'

export function define(command: Command): void {
  withFormat(command.command('rebuild'), 'persons rebuild')
    .description('derive all persons from the events again')
    .addHelpText(
      'after',
      '\nWithout DATABASE_URL the server must be stopped. A rebuild that was interrupted continues where it was.',
    )
    .action(rebuild)
}

async function rebuild(format: OutputFormat): Promise<void> {
  const startedAt = performance.now()
  let events = 0
  const showProgress = createProgressPrinter('events')
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
