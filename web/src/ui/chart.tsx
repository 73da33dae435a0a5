import { Skeleton } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { Chart } from '#model/chart.ts'
import { toTextView } from '#model/query-kinds/index.ts'
import classes from './chart.module.css'
import { ChartMessage } from './chart-message.tsx'
import { ChartNumber } from './chart-number.tsx'
import { ChartRetention } from './chart-retention.tsx'
import { loadCharts, loadedCharts } from './preload-charts.ts'
import { ResultTable } from './result-table.tsx'
import { useWasVisible } from './use-was-visible.ts'

interface ChartProps {
  readonly chart: Chart
}

const LATER = lazy(loadCharts)

/** Fills its parent. Charts below the fold are drawn when they scroll into view. */
export function ChartView({ chart }: ChartProps) {
  const { ref, wasVisible } = useWasVisible<HTMLDivElement>()
  return (
    <div ref={ref} className={classes.frame}>
      {wasVisible && (
        <Suspense fallback={<Skeleton h="100%" />}>
          <ChartContent chart={chart} />
        </Suspense>
      )}
    </div>
  )
}

function ChartContent({ chart }: ChartProps) {
  const [Drawing] = useState(() => loadedCharts() ?? LATER)
  const { title, result } = chart
  if (result === null || result === undefined) return <ChartMessage>No results yet</ChartMessage>
  const view = toTextView(chart)
  switch (view?.form) {
    case 'number':
      return <ChartNumber series={view.series} />
    case 'table':
      return <ResultTable title={title} columns={view.columns} rows={view.rows} />
    case 'cohorts':
      return <ChartRetention title={title} cohorts={view.cohorts} />
    default:
      return <Drawing chart={chart} />
  }
}
