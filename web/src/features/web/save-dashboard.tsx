import { Button } from '@mantine/core'
import { IconLayoutDashboard } from '@tabler/icons-react'
import { useCreateFromJson } from '../dashboard-list/api.ts'
import { useOpenDashboard } from '../dashboard-list/open-dashboard.ts'
import type { Goal } from './goals.ts'
import { toDashboardTemplate } from './queries.ts'
import type { WebSearch } from './search.ts'

interface SaveDashboardProps {
  readonly search: WebSearch
  readonly goals: readonly Goal[]
}

/** Creates a dashboard of what the page shows, which can be shared, exported and changed. */
export function SaveDashboard({ search, goals }: SaveDashboardProps) {
  const create = useCreateFromJson()
  const open = useOpenDashboard()
  return (
    <Button
      leftSection={<IconLayoutDashboard size={16} aria-hidden />}
      loading={create.isPending}
      onClick={() => create.mutate(toDashboardTemplate(search, goals), { onSuccess: open })}
    >
      Save as dashboard
    </Button>
  )
}
