import { ActionIcon, Box, Text, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Collaborator } from '#server/features/dashboards/collaborators/schema.ts'
import { Choice } from '../../ui/form/choice.tsx'
import { UserAvatar } from '../../ui/page/user-avatar.tsx'
import { userName } from '../../ui/page/user-name.ts'
import { type Member, useRemoveCollaborator, useUpdateLevel } from './api.ts'
import { LEVEL_CHOICES, toLevel } from './levels.ts'
import classes from './sharing.module.css'

interface PersonRowProps {
  readonly user: Member['user']
  readonly about: string
  readonly children: ReactNode
}

export function PersonRow({ user, about, children }: PersonRowProps) {
  const name = userName(user)
  return (
    <li className={classes.person}>
      <UserAvatar name={name} />
      <Box className={classes.who}>
        <Text size="sm" fw={500} truncate>
          {name}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {about}
        </Text>
      </Box>
      {children}
    </li>
  )
}

interface InvitedPersonProps {
  readonly collaborator: Collaborator
  readonly dashboardId: number
  readonly canChange: boolean
}

export function InvitedPerson({ collaborator, dashboardId, canChange }: InvitedPersonProps) {
  const { user, user_uuid, level } = collaborator
  const change = useUpdateLevel(dashboardId)
  const remove = useRemoveCollaborator(dashboardId)
  const name = userName(user)
  const isBusy = change.isPending || remove.isPending
  return (
    <PersonRow user={user} about={`Invited · ${user.email}`}>
      <Choice
        size="xs"
        w={110}
        data={LEVEL_CHOICES}
        value={String(change.isPending ? change.variables.level : level)}
        disabled={!canChange || isBusy}
        aria-label={`Permission for ${name}`}
        onChange={(value) => change.mutate({ user_uuid, level: toLevel(value) })}
      />
      {canChange && (
        <Tooltip label="Remove access">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove ${name}`}
            loading={remove.isPending}
            disabled={isBusy}
            onClick={() => remove.mutate(user_uuid)}
          >
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </PersonRow>
  )
}
