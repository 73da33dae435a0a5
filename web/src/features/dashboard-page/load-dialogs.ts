import { useEffect } from 'react'
import { loadCharts } from '../../ui/chart/preload.ts'

/** Loads the dialogs and forms in one file: the page names the files of each import, which adds up. */
export const loadDialogs = () => import('./dialogs.ts')

/** Loads the dialogs when the charts are drawn and the browser is idle: the first dialog then opens at once. */
export function usePreloadedDialogs(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return
    const stop = new AbortController()
    void loadCharts().then(() => whenIdle(loadDialogs, stop.signal))
    return () => stop.abort()
  }, [isNeeded])
}

/** Safari has no idle callbacks. */
function whenIdle(work: () => unknown, signal: AbortSignal): void {
  const start = () => signal.aborted || work()
  if ('requestIdleCallback' in window) requestIdleCallback(start)
  else setTimeout(start, 500)
}
