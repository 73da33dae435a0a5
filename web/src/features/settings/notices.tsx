import { Alert } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useProjectId } from '../../api/project.ts'
import { isAdmin, useMe } from '../../api/session.ts'
import { TimeAgo } from '../../ui/page/time-ago.tsx'
import { LateBackupNotice } from './backups/late-notice.tsx'

export { NotForViewers } from './not-for-viewers.tsx'

/** Notices that every page shows. */
export function Notices() {
  const me = useMe()
  return (
    <>
      {isAdmin(me) && <LateBackupNotice />}
      {me.second_factor_due_at && <SecondFactorNotice due={me.second_factor_due_at} />}
    </>
  )
}

/** Stays until it is done: afterwards every page is closed. */
function SecondFactorNotice({ due }: { readonly due: string }) {
  const projectId = `${useProjectId()}`
  return (
    <Alert
      color="yellow"
      variant="light"
      py={6}
      mb="md"
      icon={<IconShieldLock size={16} />}
      role="status"
    >
      Your organization requires a second factor <TimeAgo time={due} />.{' '}
      <Link to="/project/$projectId/settings/$section" params={{ projectId, section: 'account' }}>
        Set it up
      </Link>
    </Alert>
  )
}
