import { Skeleton } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Chart } from '../../../src/charts/chart.ts'
import classes from './chart.module.css'

const load = () => import('./drawn-chart.tsx')
const DrawnChart = lazy(load)

/** A page that will show charts asks for what draws them while it asks for its data. */
export const preloadCharts = (): void => void load()

/** Fills its parent. Drawn when it is first seen: nobody waits for what is far below. */
export function ChartView({ chart }: { readonly chart: Chart }) {
  const { ref, inViewport } = useInViewport()
  const [wasSeen, setSeen] = useState(false)
  useEffect(() => {
    if (inViewport) setSeen(true)
  }, [inViewport])
  return (
    <div ref={ref} className={classes.frame}>
      {wasSeen && (
        <Suspense fallback={<Skeleton h="100%" />}>
          <DrawnChart chart={chart} />
        </Suspense>
      )}
    </div>
  )
}
