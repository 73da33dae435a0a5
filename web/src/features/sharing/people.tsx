import { Loader, Radio, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  CAN_EDIT,
  EVERYONE_CAN_EDIT,
  type Level,
  ONLY_COLLABORATORS_CAN_EDIT,
} from '#model/levels.ts'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { useProjectId } from '../../api/project.ts'
import { isAdmin, useMe } from '../../api/session.ts'
import { Loading, QueryContent } from '../../ui/page/states.tsx'
import { collaboratorsQuery, membersQuery, useRestrict } from './api.ts'
import { InviteForm } from './invite-form.tsx'
import { InvitedPerson, PersonRow } from './person-row.tsx'
import classes from './sharing.module.css'
import { listDefaultEditors } from './why.ts'

interface PeopleProps {
  readonly dashboard: Dashboard
}

/** Controls who can edit; everyone in the project can view. */
export function People({ dashboard }: PeopleProps) {
  const projectId = useProjectId()
  const canInvite = dashboard.effective_privilege_level === CAN_EDIT
  const invited = useQuery(collaboratorsQuery(projectId, dashboard.id))
  const members = useQuery(membersQuery(projectId))
  return (
    <Stack gap="sm" component="section" aria-label="People">
      <Title order={3}>People</Title>
      <WhoCanEdit dashboard={dashboard} />
      {canInvite && (
        <InviteForm
          dashboard={dashboard}
          members={members.isPending ? undefined : (members.data ?? null)}
          invited={invited.data ?? []}
        />
      )}
      <QueryContent query={invited} loading={<Loading lines={2} />}>
        {(collaborators) => (
          <ul className={classes.people} aria-label="People with access">
            {listDefaultEditors(dashboard, members.data ?? []).map(({ user, reason }) => (
              <PersonRow key={user.uuid} user={user} about={reason}>
                <Text size="sm" c="dimmed">
                  Can edit
                </Text>
              </PersonRow>
            ))}
            {collaborators.map((one) => (
              <InvitedPerson
                key={one.id}
                collaborator={one}
                dashboardId={dashboard.id}
                canChange={canInvite}
              />
            ))}
          </ul>
        )}
      </QueryContent>
    </Stack>
  )
}

function WhoCanEdit({ dashboard }: PeopleProps) {
  const me = useMe()
  const restrict = useRestrict(dashboard.id)
  const canRestrict = dashboard.created_by?.id === me.id || isAdmin(me)
  return (
    <Radio.Group
      label="Who can edit"
      description={
        canRestrict
          ? 'Everyone in the project can view it.'
          : 'Only the creator and admins can change this.'
      }
      value={String(restrict.isPending ? restrict.variables : dashboard.restriction_level)}
      onChange={(level) => restrict.mutate(Number(level) as Level)}
    >
      <Stack gap={6} mt="xs">
        <Radio
          value={String(EVERYONE_CAN_EDIT)}
          label="Everyone in the project"
          disabled={!canRestrict || restrict.isPending}
        />
        <Radio
          value={String(ONLY_COLLABORATORS_CAN_EDIT)}
          label={<>Only invited people {restrict.isPending && <Loader size={12} />}</>}
          disabled={!canRestrict || restrict.isPending}
        />
      </Stack>
    </Radio.Group>
  )
}
