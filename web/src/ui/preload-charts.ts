import type { ComponentType } from 'react'
import type { Chart } from '#model/chart.ts'

type Drawing = ComponentType<{ readonly chart: Chart }>

let loaded: Drawing | undefined

/** What draws charts: as large as all the rest. */
export async function loadCharts(): Promise<{ readonly default: Drawing }> {
  const module = await import('./drawn-chart.tsx')
  loaded = module.default
  return module
}

/** Once it is there: rendered without waiting, for what is waited for is shown late. */
export const loadedCharts = (): Drawing | undefined => loaded

/** A page that will show charts asks for what draws them while it is loaded itself. */
export const preloadCharts = (): void => void loadCharts()
