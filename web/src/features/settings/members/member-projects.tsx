import { Group, Modal, Stack, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { OrganizationMember } from '#server/features/accounts/members/schema.ts'
import { projectsQuery } from '../../../api/session.ts'
import { Choice } from '../../../ui/form/choice.tsx'
import { userName } from '../../../ui/page/user-name.ts'
import { type MembershipChoice, useChangeMembership } from './api.ts'

interface MemberProjectsProps {
  readonly member: OrganizationMember
  readonly isOpen: boolean
  readonly onClose: () => void
}

const CHOICES = [
  { value: 'none', label: 'No access' },
  { value: 'viewer', label: 'Viewer' },
  { value: 'member', label: 'Member' },
]

function levelIn({ projects, viewer_of }: OrganizationMember, id: number): MembershipChoice {
  if (!projects.includes(id)) return 'none'
  return viewer_of.includes(id) ? 'viewer' : 'member'
}

/** Each choice saves immediately. */
export function MemberProjects({ member, isOpen, onClose }: MemberProjectsProps) {
  const { results } = useSuspenseQuery(projectsQuery).data
  const change = useChangeMembership()
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Projects for ${userName(member.user)}`}>
      <Stack>
        <Text size="sm" c="dimmed">
          A viewer sees dashboards and insights of a project, and changes nothing. Changes save
          immediately.
        </Text>
        {results.map(({ id, name }) => (
          <Group key={id} justify="space-between" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            <Choice
              aria-label={`Access to ${name}`}
              w={130}
              size="sm"
              data={CHOICES}
              value={levelIn(member, id)}
              disabled={change.isPending}
              onChange={(to) =>
                change.mutate({
                  projectId: id,
                  uuid: member.user.uuid,
                  from: levelIn(member, id),
                  to: to as MembershipChoice,
                })
              }
            />
          </Group>
        ))}
      </Stack>
    </Modal>
  )
}
