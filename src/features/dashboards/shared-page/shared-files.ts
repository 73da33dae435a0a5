import { ApiError } from '#server/errors.ts'
import type { DashboardFormat } from '../exports/dashboard-file.ts'
import type { PictureQuery } from '../exports/schema.ts'
import type { ExportedFile } from '../exports/send-file.ts'
import type { SharedDashboardRow } from '../sharing/shared-dashboard.ts'

export type ExportFile = (
  dashboard: SharedDashboardRow,
  format: DashboardFormat,
  look: PictureQuery,
) => Promise<ExportedFile>

/** Of all strangers together: one picture is drawn at a time, and members wait for the same process. */
const MOST_AT_ONCE = 8

/** Files for whoever has the link. What several ask for at the same time is made once. */
export function createSharedExports(make: ExportFile): ExportFile {
  const pending = new Map<string, Promise<ExportedFile>>()

  return (dashboard, format, { scheme, width, height }) => {
    const key = JSON.stringify([dashboard.id, dashboard.version, format, scheme, width, height])
    const known = pending.get(key)
    if (known) return known
    if (pending.size >= MOST_AT_ONCE) {
      const detail = 'Too many files of shared dashboards are being made just now. Try again.'
      throw new ApiError('unavailable', detail, null, { 'retry-after': '5' })
    }
    const made = make(dashboard, format, { scheme, width, height }).finally(() =>
      pending.delete(key),
    )
    pending.set(key, made)
    return made
  }
}
