import { Button } from '@mantine/core'
import { ROLE_NAMES } from '../../../api/session.ts'
import { Panel, PanelRow, PanelRows } from '../../../ui/page/panel.tsx'
import { ErrorAlert } from '../../../ui/page/states.tsx'
import { TimeAgo } from '../../../ui/page/time-ago.tsx'
import { userName } from '../../../ui/page/user-name.ts'
import { useInvites, useRevokeInvite } from './api.ts'

/** Pending invitations; hidden when there are none. */
export function Invites() {
  const invites = useInvites(true)
  const revoke = useRevokeInvite()
  if (invites.error) return <ErrorAlert error={invites.error} />
  if (!invites.data || invites.data.count === 0) return null
  return (
    <Panel title="Pending invitations" about="Not accepted yet." isFlush>
      <PanelRows>
        {invites.data.results.map(({ id, email, level, created_by, expires_at }) => (
          <PanelRow
            key={id}
            title={email ?? 'Anyone with the link'}
            about={
              <>
                {ROLE_NAMES[level]} · invited by {userName(created_by)} · expires{' '}
                <TimeAgo time={expires_at} />
              </>
            }
          >
            <Button
              size="xs"
              variant="default"
              aria-label={`Revoke invitation for ${email ?? 'anyone with the link'}`}
              onClick={() => revoke.mutate(id)}
            >
              Revoke
            </Button>
          </PanelRow>
        ))}
      </PanelRows>
    </Panel>
  )
}
