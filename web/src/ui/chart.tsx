import { Skeleton } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import type { Chart } from '../../../src/charts/chart.ts'
import classes from './chart.module.css'
import { type ChartForm, formOf } from './chart-form.ts'
import { ChartMessage } from './chart-message.tsx'
import { ChartNumber } from './chart-number.tsx'
import { ChartRetention } from './chart-retention.tsx'
import { ChartTable } from './chart-table.tsx'
import { loadCharts } from './preload-charts.ts'

interface ChartProps {
  readonly chart: Chart
}

const FORMS: Readonly<Record<ChartForm, ComponentType<ChartProps>>> = {
  message: () => <ChartMessage>Not computed yet</ChartMessage>,
  number: ChartNumber,
  retention: ChartRetention,
  table: ChartTable,
  drawing: lazy(loadCharts),
}

/** Fills its parent. Drawn when it is first seen: nobody waits for what is far below. */
export function ChartView({ chart }: ChartProps) {
  const { ref, inViewport } = useInViewport()
  const [wasSeen, setSeen] = useState(false)
  useEffect(() => {
    if (inViewport) setSeen(true)
  }, [inViewport])
  const Form = FORMS[formOf(chart)]
  return (
    <div ref={ref} className={classes.frame}>
      {wasSeen && (
        <Suspense fallback={<Skeleton h="100%" />}>
          <Form chart={chart} />
        </Suspense>
      )}
    </div>
  )
}
