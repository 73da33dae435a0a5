import { BusyError } from '#server/errors.ts'
import type { DashboardFormat } from '../exports/dashboard-file.ts'
import type { PictureQuery } from '../exports/schema.ts'
import type { ExportedFile } from '../exports/send-file.ts'
import type { SharedDashboardRow } from '../sharing/shared-dashboard.ts'

export type ExportFile = (
  dashboard: SharedDashboardRow,
  format: DashboardFormat,
  picture: PictureQuery,
) => Promise<ExportedFile>

/** For all visitors together, because images are drawn one at a time in a process shared with members. */
const MAX_CONCURRENT = 8

/** Limits exports of shared dashboards, and exports a file once for concurrent requests. */
export function createSharedExports(exportFile: ExportFile): ExportFile {
  const pending = new Map<string, Promise<ExportedFile>>()

  return (dashboard, format, { scheme, width, height }) => {
    const key = JSON.stringify([dashboard.id, dashboard.version, format, scheme, width, height])
    const current = pending.get(key)
    if (current) return current
    if (pending.size >= MAX_CONCURRENT) {
      throw new BusyError('Too many shared dashboards are being exported. Try again later.')
    }
    const started = exportFile(dashboard, format, { scheme, width, height }).finally(() =>
      pending.delete(key),
    )
    pending.set(key, started)
    return started
  }
}
