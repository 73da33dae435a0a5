import { Button, Group, Text, Title } from '@mantine/core'
import { useHotkeys, useIdle } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { type CSSProperties, type ReactNode, useRef } from 'react'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import type { DashboardSearch } from '../../dashboard-list/search.ts'
import classes from '../page.module.css'
import { Ago } from '../tile/ago.tsx'
import { oldestRefresh } from '../tile/state.ts'
import { useFullScreen } from '../use-full-screen.ts'
import { useRotation } from './use-rotation.ts'
import { useScale } from './use-scale.ts'

const IDLE_MS = 3000

interface KioskProps {
  readonly dashboard: Dashboard
  readonly search: DashboardSearch
  readonly children: ReactNode
}

/** For wall displays: scales to the screen, and hides controls until the mouse moves. */
export function Kiosk({ dashboard, search, children }: KioskProps) {
  const isIdle = useIdle(IDLE_MS, { initialState: false })
  const { leave } = useFullScreen()
  const content = useRef<HTMLDivElement>(null)
  const { scale, fits, isMeasured } = useScale(content, dashboard.tiles.length > 0)
  useRotation({ id: dashboard.id, search, fits })
  useHotkeys([['Escape', leave]], [])
  const oldest = oldestRefresh(dashboard.tiles)
  return (
    <div
      ref={content}
      className={classes.kiosk}
      data-tv
      data-idle={isIdle || undefined}
      data-measured={isMeasured || undefined}
      style={{ '--kiosk-scale': scale } as CSSProperties}
    >
      <Group justify="space-between" mb="md" gap="xs">
        <Title order={1} fz={28}>
          {dashboard.name || 'Untitled dashboard'}
        </Title>
        <Group wrap="nowrap">
          {oldest && (
            <Text c="dimmed" fz="md">
              <Ago time={oldest} prefix="Updated" />
            </Text>
          )}
          <Button
            className={classes.leave}
            variant="default"
            leftSection={<IconX size={16} />}
            onClick={leave}
          >
            Exit
          </Button>
        </Group>
      </Group>
      <div>{children}</div>
    </div>
  )
}
