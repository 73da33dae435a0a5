import { Badge } from '@mantine/core'
import type { Alert } from '../../../../../src/features/alerts/schema.ts'
import { When } from '../../../ui/when.tsx'
import { NoticeRow } from './notice-row.tsx'
import { toCondition } from './words.ts'

const COLORS = { Firing: 'red', Errored: 'orange', Snoozed: 'gray', 'Not firing': 'hedge' } as const
const WORDS = {
  Firing: 'firing',
  Errored: 'cannot check',
  Snoozed: 'snoozed',
  'Not firing': 'all well',
} as const

interface AlertRowProps {
  readonly alert: Alert
  readonly onSecret: (secret: string) => void
}

export function AlertRow({ alert, onSecret }: AlertRowProps) {
  const { id, name, enabled, state, last_checked_at, last_value, last_error } = alert
  return (
    <NoticeRow
      kind="alerts"
      id={id}
      name={name || 'Alert'}
      isEnabled={enabled}
      onSecret={onSecret}
      badge={
        <Badge ml={6} color={enabled ? COLORS[state] : 'gray'}>
          {enabled ? WORDS[state] : 'off'}
        </Badge>
      }
      about={
        <>
          {toCondition(alert)} · checked <When time={last_checked_at} span inherit />
          {last_value !== null && `, it was ${last_value.toLocaleString('en')}`}
          {last_error && ` · ${last_error}`}
        </>
      }
    />
  )
}
