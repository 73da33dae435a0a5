import { Drawer } from '@mantine/core'
import { useProjectId } from '../../../api/project.ts'
import { ActivityTimeline, useItemActivity } from '../../activity/timeline.tsx'
import { dashboardPath } from '../api.ts'

interface ActivityDrawerProps {
  readonly dashboardId: number
  readonly opened: boolean
  readonly onClose: () => void
}

/** Who did what to this dashboard, newest first. */
export function ActivityDrawer({ dashboardId, opened, onClose }: ActivityDrawerProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      title="Activity"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Activity dashboardId={dashboardId} />
    </Drawer>
  )
}

/** Asked for when it is opened. */
function Activity({ dashboardId }: Pick<ActivityDrawerProps, 'dashboardId'>) {
  const path = `${dashboardPath(useProjectId(), dashboardId)}/activity`
  return <ActivityTimeline of={useItemActivity(path)} />
}
