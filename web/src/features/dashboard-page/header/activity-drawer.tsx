import { Drawer } from '@mantine/core'
import { useProjectId } from '../../../api/project.ts'
import { ActivityTimeline, useItemActivity } from '../../activity/timeline.tsx'
import { dashboardPath } from '../api.ts'

interface ActivityDrawerProps {
  readonly dashboardId: number
  readonly onClose: () => void
}

/** Lists the dashboard's activity, newest first. */
export function ActivityDrawer({ dashboardId, onClose }: ActivityDrawerProps) {
  const path = `${dashboardPath(useProjectId(), dashboardId)}/activity`
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      title="Activity"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <ActivityTimeline of={useItemActivity(path)} />
    </Drawer>
  )
}
