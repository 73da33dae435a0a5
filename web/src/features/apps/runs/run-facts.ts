import type { Run } from '#server/features/import-apps/runs/schema.ts'

export const STATES = {
  succeeded: { label: 'Succeeded', status: 'success' },
  failed: { label: 'Failed', status: 'error' },
  cancelled: { label: 'Canceled', status: 'neutral' },
} as const

/** Seconds; undefined if it did not start or has not ended. */
export const toSeconds = ({ started_at, finished_at }: Run): number | undefined =>
  started_at && finished_at ? (Date.parse(finished_at) - Date.parse(started_at)) / 1000 : undefined

export function toDuration(run: Run): string {
  const seconds = toSeconds(run)
  if (seconds === undefined) return ''
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
