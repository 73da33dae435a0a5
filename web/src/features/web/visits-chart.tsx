import { Skeleton } from '@mantine/core'
import { useMemo } from 'react'
import { FIGURE_LABELS } from '#model/web-figures.ts'
import { ChartView } from '../../ui/chart/chart.tsx'
import { toChart } from '../../ui/chart/to-chart.ts'
import { QueryContent } from '../../ui/page/states.tsx'
import { useWebQuery } from './api.ts'
import { toTrend } from './queries.ts'
import type { Charted, VisitFilters } from './search.ts'
import classes from './web.module.css'

interface VisitsChartProps {
  readonly filters: VisitFilters
  readonly figure: Charted
}

/** A figure over time. */
export function VisitsChart({ filters, figure }: VisitsChartProps) {
  const query = toTrend(filters, figure)
  const found = useWebQuery(query)
  return (
    <QueryContent query={found} loading={<Skeleton h={240} />}>
      {({ results }) => (
        <div
          className={`${classes.chart} ${classes.result}`}
          data-old={found.isPlaceholderData || undefined}
        >
          <Drawn key={JSON.stringify(query)} query={query} result={results} figure={figure} />
        </div>
      )}
    </QueryContent>
  )
}

interface DrawnProps {
  readonly query: object
  readonly result: unknown
  readonly figure: Charted
}

function Drawn({ query, result, figure }: DrawnProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with the query, which is new in every render
  const chart = useMemo(() => toChart({ name: FIGURE_LABELS[figure], query, result }), [result])
  return <ChartView chart={chart} />
}
