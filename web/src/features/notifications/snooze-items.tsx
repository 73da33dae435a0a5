import { Menu } from '@mantine/core'
import { IconBell, IconBellOff } from '@tabler/icons-react'
import type { Alert } from '#server/features/notifications/alerts/schema.ts'
import { usePatchNotification } from './api.ts'

const HOUR_MS = 3_600_000
const SPANS = [
  ['1 hour', HOUR_MS],
  ['1 day', 24 * HOUR_MS],
  ['1 week', 7 * 24 * HOUR_MS],
] as const

/** Menu items that mute an alert for a while, or unmute it. */
export function SnoozeItems({ id, state }: Pick<Alert, 'id' | 'state'>) {
  const { mutate } = usePatchNotification('alerts')
  const snooze = (until: number | null) =>
    mutate({ id, patch: { snoozed_until: until === null ? null : new Date(until).toISOString() } })
  if (state === 'Snoozed') {
    return (
      <Menu.Item leftSection={<IconBell size={16} />} onClick={() => snooze(null)}>
        Unsnooze
      </Menu.Item>
    )
  }
  return SPANS.map(([label, span]) => (
    <Menu.Item
      key={label}
      leftSection={<IconBellOff size={16} />}
      onClick={() => snooze(Date.now() + span)}
    >
      Snooze for {label}
    </Menu.Item>
  ))
}
