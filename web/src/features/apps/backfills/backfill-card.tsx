import { Badge, Button, Group, Progress, Text } from '@mantine/core'
import { pluralize } from '#model/pluralize.ts'
import type { Backfill } from '#server/features/import-apps/backfills/schema.ts'
import { Card } from '../../../ui/page/card.tsx'
import { STATUS_COLORS, type Status } from '../../../ui/page/status-color.ts'
import { formatCount } from '../status.ts'
import { type BackfillAction, useBackfillAction } from './api.ts'

interface Shown {
  readonly label: string
  readonly status: Status
  readonly actions: readonly BackfillAction[]
}

const STATES: Readonly<Record<Backfill['state'], Shown>> = {
  running: { label: 'Running', status: 'running', actions: ['pause', 'cancel'] },
  paused: { label: 'Paused', status: 'warning', actions: ['resume', 'cancel'] },
  failed: { label: 'Failed', status: 'error', actions: ['resume', 'cancel'] },
  succeeded: { label: 'Succeeded', status: 'success', actions: [] },
  cancelled: { label: 'Canceled', status: 'neutral', actions: [] },
}

const ACTIONS: Readonly<Record<BackfillAction, string>> = {
  pause: 'Pause backfill',
  resume: 'Resume backfill',
  cancel: 'Cancel backfill',
}

export function BackfillCard({ backfill }: { readonly backfill: Backfill }) {
  const act = useBackfillAction(backfill)
  const { windows, windows_done, events, skipped, message, streams } = backfill
  const { label, status, actions } = STATES[backfill.state]
  const color = STATUS_COLORS[status]
  const period = toPeriod(backfill)
  return (
    <Card>
      <Group justify="space-between" mb="xs">
        <Group gap="xs">
          <Text fw={600}>{period}</Text>
          <Badge color={color} variant="light">
            {label}
          </Badge>
          {streams && <Text c="dimmed">{streams.join(', ')}</Text>}
        </Group>
        <Group gap="xs">
          {actions.map((action) => (
            <Button
              key={action}
              size="xs"
              variant="default"
              loading={act.isPending && act.variables === action}
              onClick={() => act.mutate(action)}
            >
              {ACTIONS[action]}
            </Button>
          ))}
        </Group>
      </Group>
      <Progress.Root>
        <Progress.Section
          value={(windows_done / windows) * 100}
          color={color}
          withAria={false}
          role="progressbar"
          aria-label={`Backfill ${period}`}
          aria-valuemin={0}
          aria-valuemax={windows}
          aria-valuenow={windows_done}
        />
      </Progress.Root>
      <Group justify="space-between" mt="xs" gap="xs">
        <Text size="sm" c="dimmed">
          {message}
        </Text>
        <Text size="sm" c="dimmed" className="tabular">
          {`${formatCount(windows_done)} of ${pluralize(windows, 'window')}, ${pluralize(events, 'event')}`}
          {skipped > 0 && `, ${pluralize(skipped, 'row')} skipped`}
        </Text>
      </Group>
    </Card>
  )
}

/** "2025-12-01 to 2025-12-10": the days that it imports. */
function toPeriod({ from, to }: Backfill): string {
  const last = new Date(Date.parse(to) - 1).toISOString()
  return `${from.slice(0, 10)} to ${last.slice(0, 10)}`
}
