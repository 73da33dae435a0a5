import { Skeleton } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { Chart, ChartPoint } from '#model/chart.ts'
import { toTextView } from '#model/query-kinds/index.ts'
import classes from './chart.module.css'
import { ChartMessage } from './message.tsx'
import { ChartNumber } from './number.tsx'
import { findPart } from './parts.ts'
import { loadCharts, loadChartsWith, loadedCharts } from './preload.ts'
import type { OnCell } from './result-table.tsx'
import { useWasVisible } from './use-was-visible.ts'

interface ChartProps {
  readonly chart: Chart
  /** Makes the parts of the chart clickable. */
  readonly onPoint?: ((point: ChartPoint) => void) | undefined
}

const LATER = lazy(loadCharts)
const WITH_PART = {
  paths: lazy(() => loadChartsWith('paths')),
  map: lazy(() => loadChartsWith('map')),
  box: lazy(() => loadChartsWith('box')),
}
const ChartRetention = lazy(async () => ({
  default: (await import('./retention.tsx')).ChartRetention,
}))
const ResultTable = lazy(async () => ({
  default: (await import('./result-table.tsx')).ResultTable,
}))

/** Fills its parent. Charts below the fold are drawn when they scroll into view. */
export function ChartView({ chart, onPoint }: ChartProps) {
  const { ref, wasVisible } = useWasVisible<HTMLDivElement>()
  return (
    <div ref={ref} className={classes.frame}>
      {wasVisible && (
        <Suspense fallback={<Skeleton h="100%" animate={false} />}>
          <ChartContent chart={chart} onPoint={onPoint} />
        </Suspense>
      )}
    </div>
  )
}

function ChartContent({ chart, onPoint }: ChartProps) {
  const [Drawing] = useState(() => loadedCharts() ?? LATER)
  const { title, result } = chart
  if (result === null || result === undefined) return <ChartMessage>No results yet</ChartMessage>
  const view = toTextView(chart)
  const part = findPart(chart)
  const PartDrawing = part && WITH_PART[part]
  switch (view?.form) {
    case 'number':
      return <ChartNumber view={view} onPoint={onPoint} />
    case 'table':
      return <ResultTable title={title} {...view} onCell={onPoint && toSeriesCell(onPoint)} />
    case 'cohorts':
      return <ChartRetention title={title} cohorts={view.cohorts} onPoint={onPoint} />
    default:
      // the key: all load the same component, and a drawing knows only the chart types that were
      // registered before it was made
      return PartDrawing ? (
        <PartDrawing key={part} chart={chart} onPoint={onPoint} Table={ResultTable} />
      ) : (
        <Drawing chart={chart} onPoint={onPoint} Table={ResultTable} />
      )
  }
}

/** A table of values has a row for each series: its name and its value. */
const toSeriesCell =
  (onPoint: (point: ChartPoint) => void): OnCell =>
  (row, column) =>
    column === 1 ? () => onPoint({ series: row }) : undefined
