import { Alert } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link, useMatchRoute } from '@tanstack/react-router'
import { useProjectId } from '../../../api/project.ts'
import { useScheduledBackups } from './api.ts'

/** Tells admins on every page that the last backup is too old. Once dismissed, it does not return in this tab. */
export function LateBackupNotice() {
  const { data } = useScheduledBackups()
  const projectId = `${useProjectId()}`
  const [isDismissed, setDismissed] = useSessionStorage({
    key: 'hedgerow-late-backup-dismissed',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const settings = {
    to: '/project/$projectId/settings/$section',
    params: { projectId, section: 'backups' },
  } as const
  const isInSettings = useMatchRoute()(settings) !== false // which say it themselves
  if (!data?.is_late || isDismissed || isInSettings) return null
  return (
    <Alert
      color="yellow"
      variant="light"
      py={6}
      mb="md"
      icon={<IconAlertTriangle size={16} />}
      role="status"
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={() => setDismissed(true)}
    >
      The last backup is too old. <Link {...settings}>Open backup settings</Link>
    </Alert>
  )
}
