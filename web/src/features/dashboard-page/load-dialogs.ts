import { loadCharts } from '../../ui/chart/preload.ts'

/** Loads the dialogs and forms in one file: the page names the files of each import, which adds up. */
export const loadDialogs = () => import('./dialogs.ts')

/** Loads the dialogs when the charts are drawn and the browser is idle: the first dialog then opens at once. */
export const loadDialogsLater = async () => {
  await loadCharts()
  await new Promise((resolve) => whenIdle(resolve))
  return loadDialogs()
}

/** Safari has no idle callbacks. */
function whenIdle(work: (value?: unknown) => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(() => work())
  else setTimeout(work, 500)
}
