import { useQuery } from '@tanstack/react-query'
import type { ScheduledBackups } from '#server/features/backups/schema.ts'
import { api } from '../../../api/client.ts'

/** While a backup runs, its end shows without a reload. */
const POLL_MS = 5000

/** Only admins can read this. */
export const useScheduledBackups = () =>
  useQuery({
    queryKey: ['scheduled-backups'],
    queryFn: () => api.get<ScheduledBackups>('/api/organizations/@current/backups'),
    refetchInterval: ({ state }) => (state.data?.is_running ? POLL_MS : false),
  })
