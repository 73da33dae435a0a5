import { Badge, Tooltip } from '@mantine/core'
import { IconEye, IconLock, IconUsers } from '@tabler/icons-react'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { CAN_EDIT, EVERYONE } from './api.ts'

type Rights = Pick<Dashboard, 'restriction_level' | 'effective_privilege_level'>

function toWords({ restriction_level, effective_privilege_level }: Rights) {
  if (effective_privilege_level !== CAN_EDIT) {
    const why = 'You can look at this dashboard. Only people invited to it can edit it.'
    return { icon: IconEye, words: 'View only', why }
  }
  if (restriction_level === EVERYONE) {
    const why = 'Everyone in this project can edit this dashboard.'
    return { icon: IconUsers, words: 'Everyone can edit', why }
  }
  const why = 'Only people invited to this dashboard, whoever made it and admins can edit it.'
  return { icon: IconLock, words: 'Invited can edit', why }
}

/** For a dashboard's header: who can edit it, in two words. */
export function WhoCanEdit({ dashboard }: { readonly dashboard: Rights }) {
  const { icon: Icon, words, why } = toWords(dashboard)
  return (
    <Tooltip label={why} multiline maw={260}>
      <Badge color="gray" leftSection={<Icon size={12} />}>
        {words}
      </Badge>
    </Tooltip>
  )
}
