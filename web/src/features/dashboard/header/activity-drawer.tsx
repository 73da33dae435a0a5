import { Drawer, Text, Timeline } from '@mantine/core'
import { Shown } from '../../../ui/states.tsx'
import { When } from '../../../ui/when.tsx'
import { useActivity } from '../api.ts'

interface ActivityDrawerProps {
  readonly dashboardId: number
  readonly opened: boolean
  readonly onClose: () => void
}

/** Who did what to this dashboard, newest first. */
export function ActivityDrawer({ dashboardId, opened, onClose }: ActivityDrawerProps) {
  const activity = useActivity(dashboardId, opened)
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      title="Activity"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Shown of={activity}>
        {({ results }) => (
          <Timeline bulletSize={12} lineWidth={1}>
            {results.map(({ id, user, activity: done, detail, created_at }) => (
              <Timeline.Item key={id} title={`${user.first_name} · ${done}`}>
                <Text size="xs" c="dimmed">
                  {detail.changes?.map(({ field }) => field).join(', ')}
                </Text>
                <When size="xs" c="dimmed" time={created_at} />
              </Timeline.Item>
            ))}
          </Timeline>
        )}
      </Shown>
    </Drawer>
  )
}
