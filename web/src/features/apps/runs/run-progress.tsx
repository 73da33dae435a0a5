import { Button, Group, Progress, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { Run } from '#server/features/import-apps/runs/schema.ts'
import { Card } from '../../../ui/card.tsx'
import { useRunAction } from '../api.ts'
import { formatCount, pluralize, progressPercent, runName } from '../status.ts'

/** A queued or running run. */
export function RunProgress({ run }: { readonly run: Run }) {
  const cancel = useRunAction(run.config_id, 'cancel')
  const percent = progressPercent(run)
  const { done, total, message } = run.progress
  const isRunning = run.state === 'running'
  return (
    <Card>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Text fw={600} truncate>
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
      <Progress
        value={percent ?? 100}
        animated={isRunning}
        striped={isRunning}
        color={isRunning ? 'hedge' : 'gray'}
        aria-label={runName(run)}
      />
      <Group justify="space-between" mt="xs" gap="xs">
        <Text size="sm" c="dimmed">
          {message || run.message || (isRunning ? 'Running' : 'Waiting for a worker')}
        </Text>
        <Text size="sm" c="dimmed" className="tabular">
          {total !== null && isRunning
            ? `${formatCount(done)} of ${formatCount(total)} (${percent}%), `
            : ''}
          {pluralize(run.events, 'event')}
        </Text>
      </Group>
    </Card>
  )
}
