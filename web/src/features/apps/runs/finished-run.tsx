import { Badge, Box, Button, Group, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { MAX_TEST_ROWS } from '#model/limits.ts'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { Run } from '#server/features/import-apps/runs/schema.ts'
import { STATUS_COLORS } from '../../../ui/page/status-color.ts'
import { TimeAgo } from '../../../ui/page/time-ago.tsx'
import { useRunAction } from '../api.ts'
import classes from '../apps.module.css'
import { formatCount, runName } from '../status.ts'
import { NextSteps } from './next-steps.tsx'
import { toCounts } from './run-counts.ts'
import { STATES, toDuration } from './run-facts.ts'
import { RunPreview } from './run-preview.tsx'

interface FinishedRunProps {
  readonly run: Run
  readonly config: PipelineConfig
  /** Whether it is the last run, after which the events can be looked at. */
  readonly isNewest: boolean
  /** Whether the preview is open at first. */
  readonly isOpen: boolean
}

export function FinishedRun({ run, config, isNewest, isOpen }: FinishedRunProps) {
  const retry = useRunAction(run.config_id, 'retry')
  const hasPreview = run.skipped > 0 || (run.dry_run && run.events > 0)
  const [isShown, setShown] = useState(isOpen)
  const { label, status } = STATES[run.state as keyof typeof STATES]
  return (
    <div className={classes.run}>
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <Box flex={1} miw={0}>
          <Group gap="xs">
            <Badge color={STATUS_COLORS[status]}>{label}</Badge>
            <Text fw={500}>{runName(run)}</Text>
            {run.dry_run && (
              <Badge color="gray" variant="outline">
                test
              </Badge>
            )}
            {run.retry_of && (
              <Badge color="gray" variant="outline">
                retry
              </Badge>
            )}
          </Group>
          <Text size="sm" mt={4} className={classes.wrapped}>
            {run.state === 'succeeded' ? toCounts(run) : run.message}
          </Text>
          <Facts run={run} />
          {isNewest && !run.dry_run && run.events > 0 && <NextSteps config={config} />}
        </Box>
        <Button
          size="xs"
          variant="default"
          flex="none"
          leftSection={<IconRefresh size={14} />}
          disabled={config.deleted}
          loading={retry.isPending}
          onClick={() => retry.mutate(run.id)}
        >
          {run.dry_run ? 'Repeat test' : run.state === 'succeeded' ? 'Run again' : 'Retry run'}
        </Button>
      </Group>
      {hasPreview && (
        <Button
          size="compact-xs"
          variant="subtle"
          mt={4}
          aria-expanded={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide details' : run.dry_run ? 'Show events' : 'Show skipped rows'}
        </Button>
      )}
      {hasPreview && isShown && <RunPreview run={run} />}
    </div>
  )
}

function Facts({ run }: { readonly run: Run }) {
  const hasRead = run.state !== 'succeeded' && run.events + run.skipped > 0
  const counts = hasRead ? toCounts(run) : ''
  const notes = run.dry_run ? toTestNotes(run) : []
  return (
    <Group gap={6} mt={2} className={classes.facts}>
      <Text size="xs" c="dimmed">
        <TimeAgo time={run.started_at ?? run.created_at} />
      </Text>
      {[toDuration(run), counts, ...notes, toPayloadSummary(run)].filter(Boolean).map((fact) => (
        <Text key={fact} size="xs" c="dimmed" className={classes.wrapped}>
          {fact}
        </Text>
      ))}
    </Group>
  )
}

const toTestNotes = ({ events, skipped }: Run): string[] => [
  'nothing was stored',
  events + skipped < MAX_TEST_ROWS ? '' : `a test ends after ${formatCount(MAX_TEST_ROWS)} rows`,
]

function toPayloadSummary({ payload }: Run): string {
  const entries = Object.entries((payload ?? {}) as Record<string, unknown>)
  const pairs = entries.map(([key, value]) => `${key}: ${toShort(value)}`).join(', ')
  return pairs && `with ${pairs}`
}

const toShort = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 80)
