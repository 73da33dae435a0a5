import { useComputedColorScheme } from '@mantine/core'
import { useElementSize, useReducedMotion } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import type { Chart } from '../../../src/charts/chart.ts'
import classes from './chart.module.css'
import { drawInto } from './echarts.ts'

/** The same picture as the server's exports, and a tooltip. */
export default function DrawnChart({ chart }: { readonly chart: Chart }) {
  const scheme = useComputedColorScheme('light')
  const animation = !useReducedMotion()
  const { ref: size, width, height } = useElementSize()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!place.current || width === 0 || height === 0) return
    return drawInto(place.current, chart, { scheme, animation, width, height })
  }, [chart, scheme, animation, width, height])
  return (
    <div ref={size} className={classes.drawing}>
      <div ref={place} className={classes.drawing} role="img" aria-label={chart.title} />
    </div>
  )
}
