import { Box, Skeleton, Text } from '@mantine/core'
import { useThrottledValue } from '@mantine/hooks'
import { useMemo } from 'react'
import { ChartView } from '../../ui/chart/chart.tsx'
import { toChart } from '../../ui/chart/to-chart.ts'
import { QueryContent } from '../../ui/page/states.tsx'
import type { ListedEvent } from '../events/api.ts'
import { type EventCounts, useEventCounts } from './api.ts'
import classes from './connect.module.css'

/** Many events a second must not mean many queries a second. */
const RECOUNT_MS = 3000

/** Counts all events around the newest one, again when others arrive. */
export function EventChart({ newest }: { readonly newest: ListedEvent }) {
  const counts = useEventCounts(useThrottledValue(newest, RECOUNT_MS))
  return (
    <Box my="sm">
      <QueryContent query={counts} loading={<Skeleton className={classes.loading} />}>
        {(data) => <CountsChart counts={data} />}
      </QueryContent>
    </Box>
  )
}

function CountsChart({ counts: { title, query, results } }: { readonly counts: EventCounts }) {
  const chart = useMemo(
    () => toChart({ name: title, query, result: results }),
    [title, query, results],
  )
  return (
    <>
      <Text size="xs" c="dimmed" fw={500} mb={4}>
        {title}
      </Text>
      <div className={classes.chart}>
        <ChartView chart={chart} />
      </div>
    </>
  )
}
