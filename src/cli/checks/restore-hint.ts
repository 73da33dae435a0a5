import { join } from 'node:path'
import { type EngineOptions, toEngine } from '#server/analytics/open.ts'
import { listBackups } from '#server/backup/schedule/files.ts'
import { SQLITE_FILE } from '#server/db/connect-sqlite.ts'
import type { BackupSchedule } from '#server/features/backups/schema.ts'

export interface HintOptions extends EngineOptions {
  readonly backups: BackupSchedule | undefined
}

/**
 * Tells which backup to restore after damage, and the commands that do it. Damaged files cannot be backed up, so they
 * are moved away instead of replaced; the secret key stays, because a restore needs it.
 */
export async function toRestoreHint(options: HintOptions): Promise<string> {
  const { dataFolder, databaseUrl, backups } = options
  const [newest] = backups ? await listBackups(backups.folder).catch(() => []) : []
  const file = newest ? quote(newest) : 'FILE'
  const which = newest ? 'the newest backup' : 'a backup'
  if (databaseUrl) return `Restore ${which}: hedgerow restore --replace ${file}`
  const aside = quote(join(dataFolder, 'damaged'))
  const files = [SQLITE_FILE, ...toEngine(options).files].map(
    (name) => `${quote(join(dataFolder, name))}*`,
  )
  return `Stop the server, then move the files away and restore ${which}: mkdir ${aside} && mv ${files.join(' ')} ${aside} && hedgerow restore ${file}`
}

/** Quotes a path for a shell if it has to be. */
const quote = (path: string): string =>
  /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
