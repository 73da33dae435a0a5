import { Skeleton } from '@mantine/core'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import type { Chart } from '#model/chart.ts'
import classes from './chart.module.css'
import { type ChartForm, formOf } from './chart-form.ts'
import { ChartMessage } from './chart-message.tsx'
import { ChartNumber } from './chart-number.tsx'
import { ChartRetention } from './chart-retention.tsx'
import { ChartTable } from './chart-table.tsx'
import { loadCharts, loadedCharts } from './preload-charts.ts'
import { useWasVisible } from './use-was-visible.ts'

interface ChartProps {
  readonly chart: Chart
}

const LATER = lazy(loadCharts)

const FORMS: Readonly<Record<Exclude<ChartForm, 'drawing'>, ComponentType<ChartProps>>> = {
  message: () => <ChartMessage>No results yet</ChartMessage>,
  number: ChartNumber,
  retention: ChartRetention,
  table: ChartTable,
}

/** Fills its parent. Charts below the fold are drawn when they scroll into view. */
export function ChartView({ chart }: ChartProps) {
  const { ref, wasVisible } = useWasVisible<HTMLDivElement>()
  const [Drawing] = useState(() => loadedCharts() ?? LATER)
  const form = formOf(chart)
  const Form = form === 'drawing' ? Drawing : FORMS[form]
  return (
    <div ref={ref} className={classes.frame}>
      {wasVisible && (
        <Suspense fallback={<Skeleton h="100%" />}>
          <Form chart={chart} />
        </Suspense>
      )}
    </div>
  )
}
