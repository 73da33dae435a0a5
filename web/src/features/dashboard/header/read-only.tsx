import { Alert, Button, Group, Text } from '@mantine/core'
import { IconEye, IconTrash } from '@tabler/icons-react'
import { CAN_EDIT } from '#model/levels.ts'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { useTrash } from '../api.ts'

/** Why it cannot be edited, when it cannot. */
export function ReadOnly({ dashboard }: { readonly dashboard: Dashboard }) {
  const trash = useTrash(dashboard.id)
  const mayEdit = dashboard.effective_privilege_level === CAN_EDIT
  if (dashboard.deleted) {
    return (
      <Alert color="orange" variant="light" icon={<IconTrash size={18} />} mb="md">
        <Group justify="space-between" gap="sm">
          <Text size="sm">This dashboard is in the trash. It can be looked at, not edited.</Text>
          {mayEdit && (
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
  if (mayEdit) return null
  const owner = dashboard.created_by
  return (
    <Alert color="gray" variant="light" icon={<IconEye size={18} />} mb="md">
      <Text size="sm">
        You can view this dashboard, not edit it: only its collaborators can.{' '}
        {owner && `${owner.first_name || owner.email}, who made it, or an admin can invite you.`}
      </Text>
    </Alert>
  )
}
