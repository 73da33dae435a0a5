import { Alert, Button, Group, Text } from '@mantine/core'
import { IconEye, IconTrash } from '@tabler/icons-react'
import { CAN_EDIT } from '#model/levels.ts'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { useTrashDashboard } from '../api.ts'
import { useDashboardContext } from '../context.ts'
import { SavedFilters } from '../filters/saved-filters.tsx'

/** Explains why the dashboard cannot be edited; renders nothing if it can. Viewers of the project see its filters. */
export function ReadOnly({ dashboard }: { readonly dashboard: Dashboard }) {
  const trash = useTrashDashboard(dashboard.id)
  const { isViewer } = useDashboardContext()
  const hasEditAccess = dashboard.effective_privilege_level === CAN_EDIT
  if (dashboard.deleted) {
    return (
      <Alert color="orange" variant="light" icon={<IconTrash size={18} />} mb="md">
        <Group justify="space-between" gap="sm">
          <Text size="sm">This dashboard is in the trash. Restore it to edit.</Text>
          {hasEditAccess && (
            <Button
              size="xs"
              variant="default"
              loading={trash.isPending}
              onClick={() => trash.mutate({ deleted: false })}
            >
              Restore
            </Button>
          )}
        </Group>
      </Alert>
    )
  }
  if (hasEditAccess) return null
  if (isViewer) return <SavedFilters dashboard={dashboard} />
  const owner = dashboard.created_by
  return (
    <Alert color="gray" variant="light" icon={<IconEye size={18} />} mb="md">
      <Text size="sm">
        You can view this dashboard. Only invited people can edit it.{' '}
        {owner && `Ask ${owner.first_name || owner.email} or an admin for access.`}
      </Text>
    </Alert>
  )
}
