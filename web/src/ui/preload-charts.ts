import type { ComponentType } from 'react'
import type { DrawnChartProps } from './drawn-chart.tsx'

type Drawing = ComponentType<DrawnChartProps>

let loaded: Drawing | undefined

/** Loads the chart renderer, which is as large as the rest of the app. */
export async function loadCharts(): Promise<{ readonly default: Drawing }> {
  const module = await import('./drawn-chart.tsx')
  await module.loadDrawings()
  loaded = module.default
  return module
}

/** Returns the renderer if it is loaded, so charts skip `Suspense`, which would delay them. */
export const loadedCharts = (): Drawing | undefined => loaded

/** Starts loading the chart renderer while the page itself loads. */
export const preloadCharts = (): void => void loadCharts()
