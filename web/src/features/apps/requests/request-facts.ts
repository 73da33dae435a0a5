import type { Status } from '../../../ui/page/status-color.ts'
import type { RequestState } from './api.ts'

export const STATES: Readonly<Record<RequestState, { label: string; status: Status }>> = {
  waiting: { label: 'Waiting', status: 'running' },
  done: { label: 'Handled', status: 'success' },
  failed: { label: 'Failed', status: 'error' },
}

export function toSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
