import { Menu } from '@mantine/core'
import { IconBell, IconBellOff } from '@tabler/icons-react'
import type { Alert } from '#server/features/notifications/alerts/schema.ts'
import { usePatchNotice } from './api.ts'

const HOUR_MS = 3_600_000
const SPANS = [
  ['an hour', HOUR_MS],
  ['a day', 24 * HOUR_MS],
  ['a week', 7 * 24 * HOUR_MS],
] as const

/** For who knows about it already: nothing is sent until then, or until it is woken. */
export function SnoozeItems({ id, state }: Pick<Alert, 'id' | 'state'>) {
  const { mutate } = usePatchNotice('alerts')
  const snooze = (until: number | null) =>
    mutate({ id, patch: { snoozed_until: until === null ? null : new Date(until).toISOString() } })
  if (state === 'Snoozed') {
    return (
      <Menu.Item leftSection={<IconBell size={16} />} onClick={() => snooze(null)}>
        Wake up
      </Menu.Item>
    )
  }
  return SPANS.map(([words, span]) => (
    <Menu.Item
      key={words}
      leftSection={<IconBellOff size={16} />}
      onClick={() => snooze(Date.now() + span)}
    >
      Snooze for {words}
    </Menu.Item>
  ))
}
