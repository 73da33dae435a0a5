import type { ComponentType } from 'react'
import { FONT } from '#model/palette.ts'
import type { DrawnChartProps } from './drawn-chart.tsx'
import { loadPart, type PartName } from './parts.ts'

type Drawing = ComponentType<DrawnChartProps>

let loaded: Drawing | undefined

/** Loads the chart renderer, which is as large as the rest of the app. */
export async function loadCharts(): Promise<{ readonly default: Drawing }> {
  const module = await import('./drawn-chart.tsx')
  // the renderer measures text, which is wrong until the font is there
  await Promise.all([module.loadDrawings(), loadFont().catch(() => undefined)])
  loaded = module.default
  return module
}

/** Also loads a part of the renderer. */
export async function loadChartsWith(part: PartName): Promise<{ readonly default: Drawing }> {
  const [module] = await Promise.all([loadCharts(), loadPart(part)])
  return module
}

const loadFont = async () => document.fonts.load(`12px ${FONT}`)

/** Returns the renderer if it is loaded, so charts skip `Suspense`, which would delay them. */
export const loadedCharts = (): Drawing | undefined => loaded

/** Starts loading the chart renderer while the page itself loads. */
export const preloadCharts = (): void => void loadCharts()
