import { Button } from '@mantine/core'
import { LEVELS } from '../../../api/session.ts'
import { Problem } from '../../../ui/states.tsx'
import { When } from '../../../ui/when.tsx'
import { nameOf } from '../shared/roles.ts'
import { Part, Row, Rows } from '../shared/section.tsx'
import { useInvites, useRevokeInvite } from './api.ts'

/** Pending invitations; hidden when there are none. */
export function Invites() {
  const invites = useInvites(true)
  const revoke = useRevokeInvite()
  if (invites.error) return <Problem error={invites.error} />
  if (!invites.data || invites.data.count === 0) return null
  return (
    <Part title="Pending invitations" about="Not accepted yet." isFlush>
      <Rows>
        {invites.data.results.map(({ id, email, level, created_by, expires_at }) => (
          <Row
            key={id}
            title={email ?? 'Anyone with the link'}
            about={
              <>
                {LEVELS[level]} · invited by {nameOf(created_by)} · expires{' '}
                <When time={expires_at} span inherit />
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
          </Row>
        ))}
      </Rows>
    </Part>
  )
}
