import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { openStorage } from '../db/open.ts'
import { keyFilePath } from '../secrets/key-file.ts'
import type { ReencryptedCounts } from '../secrets/reencrypt.ts'
import { rotateSecrets } from '../secrets/rotate.ts'
import { type Format, print, withFormat } from './print.ts'

export function define(command: Command): void {
  withFormat(command.command('rotate'), 'secrets rotate')
    .description("seal the apps' settings and files with another key")
    .addHelpText(
      'after',
      '\nWith a key file: makes a new key and forgets the old one. Servers may run meanwhile.\nWith HEDGEROW_SECRET_KEY="new,old": seals with the first. Restart every server with both before, and with the first alone after.',
    )
    .action(rotate)
}

async function rotate(format: Format): Promise<void> {
  const config = readConfig()
  const storage = await openStorage(config)
  try {
    const { dataFolder, secretKey, databaseUrl } = config
    const done = await rotateSecrets({ dataFolder, secretKey, db: storage.db }, teller())
    const lines = [
      `Everything is sealed with key ${done.key} now: ${done.settings} settings and ${done.chunks} MiB of files were sealed anew.`,
      secretKey === undefined
        ? `The key is in ${keyFilePath(dataFolder)}: back it up.`
        : 'From now on HEDGEROW_SECRET_KEY needs to hold its first key only.',
    ]
    if (databaseUrl && secretKey === undefined) {
      lines.push('Servers and workers with data folders of their own need a copy of that file.')
    }
    print(format, done, lines.join('\n'))
  } finally {
    await storage.close()
  }
}

const TELL_EVERY_MS = 1000

function teller(): (done: ReencryptedCounts) => void {
  let last = Number.NEGATIVE_INFINITY
  return ({ settings, chunks }) => {
    if (performance.now() - last < TELL_EVERY_MS) return
    last = performance.now()
    process.stderr.write(`Sealed anew: ${settings} settings, ${chunks} MiB of files\n`)
  }
}
