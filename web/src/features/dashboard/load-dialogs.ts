import { useEffect } from 'react'
import { loadCharts } from '../../ui/preload-charts.ts'

/** Loads the dialogs and forms in one file: the page names the files of each import, which adds up. */
export const loadDialogs = () => import('./dialogs.ts')

/** The browser is idle for moments before the charts are drawn; the dialogs would double the time that they take. */
const AFTER_CHARTS_MS = 1000

/** Loads the dialogs when the charts are drawn and the browser is idle: the first dialog then opens at once. */
export function usePreloadedDialogs(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return
    const stop = new AbortController()
    const load = () => stop.signal.aborted || loadDialogs()
    void loadCharts().then(() => setTimeout(() => whenIdle(load), AFTER_CHARTS_MS))
    return () => stop.abort()
  }, [isNeeded])
}

/** Safari has no idle callbacks. */
function whenIdle(work: () => unknown): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work)
  else work()
}
