import { Button, Group, Text, Title } from '@mantine/core'
import { useIdle } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import classes from './page.module.css'
import { Ago } from './tile/ago.tsx'
import { oldestRefresh } from './tile/state.ts'
import { useFullScreen } from './use-full-screen.ts'

const IDLE_MS = 3000

interface KioskProps {
  readonly dashboard: Dashboard
  readonly children: ReactNode
}

/** For wall displays: hides controls until the mouse moves. */
export function Kiosk({ dashboard, children }: KioskProps) {
  const isIdle = useIdle(IDLE_MS, { initialState: false })
  const { toggle } = useFullScreen()
  const oldest = oldestRefresh(dashboard.tiles)
  return (
    <div className={classes.kiosk} data-idle={isIdle || undefined}>
      <Group justify="space-between" mb="md" gap="xs">
        <Title order={1} fz={32}>
          {dashboard.name || 'Untitled dashboard'}
        </Title>
        <Group wrap="nowrap">
          {oldest && (
            <Text c="dimmed" fz="lg">
              <Ago time={oldest} prefix="As of" />
            </Text>
          )}
          <Button
            className={classes.leave}
            variant="default"
            leftSection={<IconX size={16} />}
            onClick={toggle}
          >
            Exit
          </Button>
        </Group>
      </Group>
      {children}
    </div>
  )
}
