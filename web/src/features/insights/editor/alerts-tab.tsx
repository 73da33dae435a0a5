import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useProjectId } from '../../../api/project.ts'
import { Empty, Loading, Shown } from '../../../ui/states.tsx'
import { toCondition } from '../../settings/alerts/words.ts'
import { useInsightAlerts } from './api.ts'
import classes from './editor.module.css'

const COLORS = { Firing: 'red', Errored: 'orange', Snoozed: 'gray', 'Not firing': 'hedge' } as const

/** What watches this insight, and the way to where alerts are made and changed. */
export function AlertsTab({ insightId }: { readonly insightId: number }) {
  const alerts = useInsightAlerts(insightId)
  return (
    <Shown of={alerts} waiting={<Loading lines={3} />}>
      {({ results }) =>
        results.length === 0 ? (
          <Empty icon={IconBell} title="Nobody watches it yet" action={<AlertsLink />}>
            An alert tells you by webhook or e-mail when this number leaves the bounds you set.
          </Empty>
        ) : (
          <Stack gap="sm" align="flex-start">
            <ul className={classes.alerts} aria-label="Alerts of this insight">
              {results.map((alert) => (
                <Group key={alert.id} component="li" gap="xs">
                  <Text span fw={500}>
                    {alert.name || 'Alert'}
                  </Text>
                  <Badge color={alert.enabled ? COLORS[alert.state] : 'gray'}>
                    {alert.enabled ? alert.state : 'Off'}
                  </Badge>
                  <Text span size="sm" c="dimmed">
                    {toCondition(alert)}
                  </Text>
                </Group>
              ))}
            </ul>
            <AlertsLink />
          </Stack>
        )
      }
    </Shown>
  )
}

function AlertsLink() {
  const projectId = `${useProjectId()}`
  return (
    <Button
      size="xs"
      variant="default"
      renderRoot={(props) => (
        <Link
          {...props}
          to="/project/$projectId/settings/$section"
          params={{ projectId, section: 'alerts' }}
        />
      )}
    >
      Go to alerts
    </Button>
  )
}
