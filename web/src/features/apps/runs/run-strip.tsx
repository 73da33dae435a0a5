import { Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import { toAgo } from '#model/ago.ts'
import { pluralize } from '#model/pluralize.ts'
import type { Run } from '#server/features/import-apps/runs/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { Card } from '../../../ui/page/card.tsx'
import { STATUS_COLORS } from '../../../ui/page/status-color.ts'
import { isUnfinished, runHistoryQuery } from '../api.ts'
import classes from '../apps.module.css'
import { runName } from '../status.ts'
import { toCounts } from './run-counts.ts'
import { STATES, toDuration, toSeconds } from './run-facts.ts'

/** The last runs as bars, the newest on the right: their height is the duration, their color the outcome. */
export function RunStrip({ configId }: { readonly configId: number }) {
  const { data } = useQuery(runHistoryQuery(useProjectId(), configId))
  const runs = (data?.results ?? [])
    .filter((run) => !isUnfinished(run) && !run.dry_run)
    .toReversed()
  if (runs.length < 2) return null
  const longest = Math.max(...runs.map((run) => toSeconds(run) ?? 0), 0.1)
  return (
    <Card>
      <ol className={classes.strip} aria-label="Last runs">
        {runs.map((run) => (
          <Bar key={run.id} run={run} longest={longest} />
        ))}
      </ol>
      <Text size="xs" c="dimmed" mt={6}>
        {summarize(runs)}
      </Text>
    </Card>
  )
}

function Bar({ run, longest }: { readonly run: Run; readonly longest: number }) {
  const { label, status } = STATES[run.state as keyof typeof STATES]
  const facts = [
    `${label} ${toAgo(run.started_at ?? run.created_at)}`,
    runName(run),
    toDuration(run),
    run.state === 'succeeded' ? toCounts(run) : run.message,
  ].filter(Boolean)
  const height = `${Math.max(8, Math.round(((toSeconds(run) ?? 0) / longest) * 100))}%`
  const color = `var(--mantine-color-${STATUS_COLORS[status]}-filled)`
  return (
    <Tooltip label={facts.join(' · ')} multiline maw={320}>
      <li className={classes.bar}>
        <VisuallyHidden>{facts.join(', ')}</VisuallyHidden>
        <span style={{ height, backgroundColor: color } as CSSProperties} />
      </li>
    </Tooltip>
  )
}

/** "60 runs: 58 succeeded, 2 failed, 1,200 events, 3.1 s at the median". */
function summarize(runs: readonly Run[]): string {
  const count = (state: Run['state']) => runs.filter((run) => run.state === state).length
  const events = runs.reduce((sum, run) => sum + run.events, 0)
  const seconds = runs.flatMap((run) => toSeconds(run) ?? []).sort((one, other) => one - other)
  const median = seconds[Math.floor(seconds.length / 2)]
  return [
    `${pluralize(runs.length, 'run')}: ${count('succeeded')} succeeded`,
    `${count('failed')} failed`,
    pluralize(events, 'event'),
    ...(median === undefined ? [] : [`${median.toFixed(1)} s at the median`]),
  ].join(', ')
}
