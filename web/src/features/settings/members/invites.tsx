import { Button } from '@mantine/core'
import { LEVELS } from '../../../api/session.ts'
import { Problem } from '../../../ui/states.tsx'
import { When } from '../../../ui/when.tsx'
import { nameOf } from '../shared/roles.ts'
import { Part, Row, Rows } from '../shared/section.tsx'
import { useInvites, useWithdrawInvite } from './api.ts'

/** Nothing to show is nothing to say. */
export function Invites() {
  const invites = useInvites(true)
  const withdraw = useWithdrawInvite()
  if (invites.error) return <Problem error={invites.error} />
  if (!invites.data || invites.data.count === 0) return null
  return (
    <Part title="Open invitations" about="Nobody has accepted these yet." isFlush>
      <Rows>
        {invites.data.results.map(({ id, email, level, created_by, expires_at }) => (
          <Row
            key={id}
            title={email ?? 'Whoever has the link'}
            about={
              <>
                {LEVELS[level]} · invited by {nameOf(created_by)} · ends{' '}
                <When time={expires_at} span inherit />
              </>
            }
          >
            <Button
              size="xs"
              variant="default"
              aria-label={`Withdraw the invitation of ${email ?? 'whoever has the link'}`}
              onClick={() => withdraw.mutate(id)}
            >
              Withdraw
            </Button>
          </Row>
        ))}
      </Rows>
    </Part>
  )
}
