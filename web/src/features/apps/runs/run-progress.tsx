import { Button, Group, Progress, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { Run } from '#server/features/import-apps/runs/schema.ts'
import { Card } from '../../../ui/page/card.tsx'
import { STATUS_COLORS } from '../../../ui/page/status-color.ts'
import { useZone } from '../../../ui/page/zone.ts'
import { useRunAction } from '../api.ts'
import classes from '../apps.module.css'
import { formatCount, progressPercent, runName } from '../status.ts'
import { toCounts } from './run-counts.ts'
import { toWaitingText } from './waiting-text.ts'

/** The width of the bar that moves while the total is unknown, in percent. */
const INDETERMINATE_WIDTH = 25

/** A queued or running run. */
export function RunProgress({ run }: { readonly run: Run }) {
  const cancel = useRunAction(run.config_id, 'cancel')
  const percent = progressPercent(run)
  const { done, total, message } = run.progress
  const isRunning = run.state === 'running'
  const zone = useZone()
  return (
    <Card>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Text fw={600} truncate>
          {run.dry_run && 'Test of '}
          {isRunning ? runName(run) : `${runName(run)} (queued)`}
        </Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconX size={14} />}
          loading={cancel.isPending}
          onClick={() => cancel.mutate(run.id)}
        >
          Cancel run
        </Button>
      </Group>
      <Progress.Root>
        <Progress.Section
          className={isRunning && percent === undefined ? classes.indeterminate : undefined}
          value={isRunning ? (percent ?? INDETERMINATE_WIDTH) : 0}
          color={STATUS_COLORS.running}
          withAria={false}
          role="progressbar"
          aria-label={runName(run)}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        />
      </Progress.Root>
      <Group justify="space-between" mt="xs" gap="xs">
        <Text size="sm" c="dimmed">
          {message || toWaitingText(run, zone) || (isRunning ? 'Running' : 'Waiting for a worker')}
        </Text>
        <Text size="sm" c="dimmed" className="tabular">
          {total !== null && isRunning
            ? `${formatCount(done)} of ${formatCount(total)} (${percent}%), `
            : ''}
          {toCounts(run)}
        </Text>
      </Group>
    </Card>
  )
}
