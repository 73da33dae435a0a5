import { Button } from '@mantine/core'
import { IconLayoutDashboard } from '@tabler/icons-react'
import { useCreateFromJson } from '../dashboard-list/api.ts'
import { useOpenDashboard } from '../dashboard-list/open-dashboard.ts'
import { toDashboardTemplate } from './queries.ts'
import type { WebSearch } from './search.ts'

/** Creates a dashboard of what the page shows, which can be shared, exported and changed. */
export function SaveDashboard({ search }: { readonly search: WebSearch }) {
  const create = useCreateFromJson()
  const open = useOpenDashboard()
  return (
    <Button
      leftSection={<IconLayoutDashboard size={16} aria-hidden />}
      loading={create.isPending}
      onClick={() => create.mutate(toDashboardTemplate(search), { onSuccess: open })}
    >
      Save as dashboard
    </Button>
  )
}
