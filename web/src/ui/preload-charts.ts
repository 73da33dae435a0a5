/** What draws charts: as large as all the rest. */
export const loadCharts = () => import('./drawn-chart.tsx')

/** A page that will show charts asks for what draws them while it is loaded itself. */
export const preloadCharts = (): void => void loadCharts()
