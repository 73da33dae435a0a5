import { Badge, Box, Button, Group, Pagination, Stack, Text } from '@mantine/core'
import { IconHistory, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { Run } from '#server/features/import-apps/runs/schema.ts'
import { Card } from '../../../ui/card.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { STATUS_COLORS } from '../../../ui/status-color.ts'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { isUnfinished, RUNS_SHOWN, useRunAction, useRuns } from '../api.ts'
import classes from '../apps.module.css'
import { pluralize, runName } from '../status.ts'
import { RunProgress } from './run-progress.tsx'

export function RunsTab({ config }: { readonly config: PipelineConfig }) {
  const [page, setPage] = useState(1)
  const runs = useRuns(config.id, (page - 1) * RUNS_SHOWN)
  return (
    <QueryContent query={runs}>
      {({ count, results }) => {
        if (count === 0) return <NoRuns />
        const finished = results.filter((run) => !isUnfinished(run))
        return (
          <Stack>
            {results.filter(isUnfinished).map((run) => (
              <RunProgress key={run.id} run={run} />
            ))}
            {finished.length > 0 && (
              <Card>
                {finished.map((run) => (
                  <FinishedRun key={run.id} run={run} canRetry={!config.deleted} />
                ))}
              </Card>
            )}
            {count > RUNS_SHOWN && (
              <Pagination
                total={Math.ceil(count / RUNS_SHOWN)}
                value={page}
                onChange={setPage}
                getControlProps={(control) => ({ 'aria-label': `${control} page` })}
              />
            )}
          </Stack>
        )
      }}
    </QueryContent>
  )
}

const NoRuns = () => (
  <EmptyState icon={IconHistory} title="No runs yet">
    Each run appears here with its status, duration and number of events.
  </EmptyState>
)

const STATES = {
  succeeded: { label: 'Succeeded', status: 'success' },
  failed: { label: 'Failed', status: 'error' },
  cancelled: { label: 'Canceled', status: 'neutral' },
} as const

function FinishedRun({ run, canRetry }: { readonly run: Run; readonly canRetry: boolean }) {
  const retry = useRunAction(run.config_id, 'retry')
  const { label, status } = STATES[run.state as keyof typeof STATES]
  return (
    <Group className={classes.run} wrap="nowrap" align="flex-start" gap="sm">
      <Box flex={1} miw={0}>
        <Group gap="xs">
          <Badge color={STATUS_COLORS[status]}>{label}</Badge>
          <Text fw={500}>{runName(run)}</Text>
          {run.retry_of && (
            <Badge color="gray" variant="outline">
              retry
            </Badge>
          )}
        </Group>
        <Text size="sm" mt={4} className={classes.wrapped}>
          {run.message}
        </Text>
        <Group gap={6} mt={2} className={classes.facts}>
          <Text size="xs" c="dimmed">
            <TimeAgo time={run.started_at ?? run.created_at} />
          </Text>
          {[toDuration(run), pluralize(run.events, 'event'), toPayloadSummary(run)]
            .filter(Boolean)
            .map((fact) => (
              <Text key={fact} size="xs" c="dimmed" className={classes.wrapped}>
                {fact}
              </Text>
            ))}
        </Group>
      </Box>
      <Button
        size="xs"
        variant="default"
        flex="none"
        leftSection={<IconRefresh size={14} />}
        disabled={!canRetry}
        loading={retry.isPending}
        onClick={() => retry.mutate(run.id)}
      >
        Retry run
      </Button>
    </Group>
  )
}

function toDuration({ started_at, finished_at }: Run): string {
  if (!started_at || !finished_at) return ''
  const seconds = (Date.parse(finished_at) - Date.parse(started_at)) / 1000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

function toPayloadSummary({ payload }: Run): string {
  const entries = Object.entries((payload ?? {}) as Record<string, unknown>)
  const pairs = entries.map(([key, value]) => `${key}: ${toShort(value)}`).join(', ')
  return pairs && `with ${pairs}`
}

const toShort = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 80)
