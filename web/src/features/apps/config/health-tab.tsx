import { SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Chart } from '#model/chart.ts'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { Metrics } from '#server/features/import-apps/runs/schema.ts'
import { ChartView } from '../../../ui/chart/chart.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { QueryContent } from '../../../ui/page/states.tsx'
import { useZone } from '../../../ui/page/zone.ts'
import { AlertList } from '../../notifications/alert-list.tsx'
import { useLastRun, useMetrics } from '../api.ts'
import classes from '../apps.module.css'
import { formatCount } from '../status.ts'
import { toChart } from './new-events.ts'
import { Outcomes } from './outcomes.tsx'

type Part = Metrics['last_24_hours'][number]
type Period = keyof Metrics

const PERIODS: { value: Period; label: string }[] = [
  { value: 'last_24_hours', label: 'Last 24 hours' },
  { value: 'last_30_days', label: 'Last 30 days' },
]

export function HealthTab({ config }: { readonly config: PipelineConfig }) {
  const metrics = useMetrics(config.id)
  const [period, setPeriod] = useState<Period>('last_24_hours')
  return (
    <Stack>
      <SegmentedControl
        aria-label="Period"
        data={PERIODS}
        value={period}
        onChange={(next) => setPeriod(next as Period)}
        style={{ alignSelf: 'flex-start' }}
      />
      <QueryContent query={metrics}>
        {(known) => <Health config={config} parts={known[period]} period={period} />}
      </QueryContent>
      <AlertList of={{ config: config.id, name: config.name }} />
    </Stack>
  )
}

interface HealthProps {
  readonly config: PipelineConfig
  readonly parts: readonly Part[]
  readonly period: Period
}

function Health({ config, parts, period }: HealthProps) {
  const sum = (key: keyof Omit<Part, 'start'>) =>
    parts.reduce((total, part) => total + part[key], 0)
  const succeeded = sum('runs_succeeded')
  const runs = succeeded + sum('runs_failed')
  const zone = useZone()
  const events = useMemo(() => toChart(period, parts, zone), [parts, period, zone])
  const lastRun = useLastRun(config.id)
  const error = config.error || (lastRun?.state === 'failed' ? lastRun.message : '')
  const none = runs > succeeded ? 'The last run succeeded.' : 'No errors.'
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Stat name="Runs" value={formatCount(runs)} />
        <Stat
          name="Success rate"
          value={runs === 0 ? '–' : `${Math.round((succeeded / runs) * 100)}%`}
        />
        <Stat name="New events" value={formatCount(sum('events'))} />
        <Stat name="Rejected batches" value={formatCount(sum('deliveries_failed'))} />
      </SimpleGrid>
      <Card>
        <Title order={2} size="h3">
          Last error
        </Title>
        <Text size="sm" c={error ? undefined : 'dimmed'} mt={4} className={classes.wrapped}>
          {error || none}
        </Text>
      </Card>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <ChartCard chart={events} />
        <Outcomes parts={parts} />
      </SimpleGrid>
    </>
  )
}

const Stat = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <Card>
    <Text size="sm" c="dimmed">
      {name}
    </Text>
    <Text className={classes.stat}>{value}</Text>
  </Card>
)

const ChartCard = ({ chart }: { readonly chart: Chart }) => (
  <Card>
    <Title order={2} size="h3" mb="xs">
      {chart.title}
    </Title>
    <div className={classes.chart}>
      <ChartView chart={chart} />
    </div>
  </Card>
)
