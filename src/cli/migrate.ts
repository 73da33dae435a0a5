import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { connectStorage } from '../db/open.ts'
import { type OutputFormat, print, withFormat } from './print.ts'

export function define(command: Command): void {
  withFormat(command, 'migrate').action(runMigrations)
}

/** `serve` migrates too. This command lets operators migrate before they start a server. */
async function runMigrations(format: OutputFormat): Promise<void> {
  const storage = await connectStorage(readConfig())
  try {
    const applied = await migrate(storage.db)
    const lines = applied.map((name) => `Applied ${name}`)
    print(format, { applied }, lines.join('\n') || 'The schema is up to date.')
  } finally {
    await storage.close()
  }
}
