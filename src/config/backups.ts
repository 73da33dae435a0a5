import { resolve } from 'node:path'

export interface BackupSettings {
  readonly folder: string
  readonly intervalSeconds: number
  /** The number of backups to keep. */
  readonly keep: number
}

const INTERVAL_UNITS: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 }

/** Returns undefined if no backups are scheduled. Adds to the problems. */
export function toBackups(
  value: (name: string) => string | undefined,
  problems: string[],
): BackupSettings | undefined {
  const folder = value('HEDGEROW_BACKUP_FOLDER')
  if (folder === undefined) return undefined
  const interval = value('HEDGEROW_BACKUP_INTERVAL') ?? '24h'
  const [, count, unit = ''] = /^(\d{1,4})([mhd])$/.exec(interval) ?? []
  const intervalSeconds = Number(count ?? 0) * (INTERVAL_UNITS[unit] ?? 0)
  if (intervalSeconds === 0)
    problems.push(`HEDGEROW_BACKUP_INTERVAL must be like 30m, 6h or 7d, not "${interval}".`)
  const keep = value('HEDGEROW_BACKUP_KEEP') ?? '7'
  if (!/^[1-9]\d{0,3}$/.test(keep))
    problems.push(`HEDGEROW_BACKUP_KEEP must be a number from 1 to 9999, not "${keep}".`)
  return Object.freeze({ folder: resolve(folder), intervalSeconds, keep: Number(keep) })
}
