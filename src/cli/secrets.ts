import type { Command } from 'commander'
import { createPace } from '../concurrency.ts'
import { readConfig } from '../config.ts'
import { openStorage } from '../db/open.ts'
import { keyFilePath } from '../secrets/key-file.ts'
import type { ReencryptedCounts } from '../secrets/reencrypt.ts'
import { rotateSecrets } from '../secrets/rotate.ts'
import { type OutputFormat, print, withFormat } from './print.ts'

export function define(command: Command): void {
  withFormat(command.command('rotate'), 'secrets rotate')
    .description('encrypt settings, files and second factors with a new key')
    .addHelpText(
      'after',
      '\nWith a key file: creates a new key and discards the old one. Servers can keep running.\nWith HEDGEROW_SECRET_KEY="new,old": encrypts with the first key. Restart every server with both keys before, and with the first alone after.',
    )
    .action(rotate)
}

async function rotate(format: OutputFormat): Promise<void> {
  const config = readConfig()
  const storage = await openStorage(config)
  try {
    const { dataFolder, secretKey, databaseUrl } = config
    const done = await rotateSecrets(
      { dataFolder, secretKey, db: storage.db },
      createProgressPrinter(),
    )
    const lines = [
      `Everything is now encrypted with key ${done.key}. Re-encrypted: ${done.settings} settings, ${done.chunks} MiB of files.`,
      secretKey === undefined
        ? `The key is in ${keyFilePath(dataFolder)}. Back it up.`
        : 'HEDGEROW_SECRET_KEY now needs only its first key.',
    ]
    if (databaseUrl && secretKey === undefined) {
      lines.push('Copy that file to servers and workers with other data folders.')
    }
    print(format, done, lines.join('\n'))
  } finally {
    await storage.close()
  }
}

const PROGRESS_INTERVAL_MS = 1000

function createProgressPrinter(): (done: ReencryptedCounts) => void {
  const isDue = createPace(PROGRESS_INTERVAL_MS)
  return ({ settings, chunks }) => {
    if (!isDue()) return
    process.stderr.write(`Re-encrypted: ${settings} settings, ${chunks} MiB of files\n`)
  }
}
