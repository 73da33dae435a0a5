import { Checkbox, Modal, Stack, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { OrganizationMember } from '#server/features/accounts/members/schema.ts'
import { projectsQuery } from '../../../api/session.ts'
import { userName } from '../../../ui/page/user-name.ts'
import { useChangeMembership } from './api.ts'

interface MemberProjectsProps {
  readonly member: OrganizationMember
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Each checkbox saves immediately. */
export function MemberProjects({ member, isOpen, onClose }: MemberProjectsProps) {
  const { results } = useSuspenseQuery(projectsQuery).data
  const change = useChangeMembership()
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Projects for ${userName(member.user)}`}>
      <Stack>
        <Text size="sm" c="dimmed">
          Select projects this member can access. Changes save immediately.
        </Text>
        {results.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={member.projects.includes(id)}
            disabled={change.isPending}
            onChange={(event) =>
              change.mutate({
                projectId: id,
                uuid: member.user.uuid,
                isIn: event.currentTarget.checked,
              })
            }
          />
        ))}
      </Stack>
    </Modal>
  )
}
