import type { Chart, Scheme } from '#model/chart.ts'
import type { SharedDashboard } from '#server/features/dashboards/sharing/schema.ts'
import { drawInto, loadDrawings } from '../ui/chart/echarts.ts'
import { findPart, loadPart } from '../ui/chart/parts.ts'

type Tile = Pick<SharedDashboard['tiles'][number], 'insight'>
type Insight = NonNullable<Tile['insight']>

interface Live {
  chart: Chart
  version: string | null
  isSeen: boolean
  remove?: () => void
}

/** Loads the code that draws the tiles. */
export async function loadTiles(tiles: readonly Tile[]): Promise<void> {
  const parts = tiles.flatMap(({ insight }) => (insight && findPart(insight)) ?? [])
  await Promise.all([loadDrawings(), ...parts.map(loadPart)])
}

const charts = new Map<HTMLElement, Live>()
const dark = matchMedia('(prefers-color-scheme: dark)')

const schemeNow = (): Scheme => {
  const { theme } = document.documentElement.dataset
  return theme === 'dark' || (theme !== 'light' && dark.matches) ? 'dark' : 'light'
}

/** Draws charts only when they are near the viewport. */
const seen = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const live = charts.get(target as HTMLElement)
      if (!live || live.isSeen || !isIntersecting) continue
      live.isSeen = true
      sizes.observe(target) // also draws
    }
  },
  { rootMargin: '200px' },
)
const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) draw(target as HTMLElement)
})
dark.addEventListener('change', () => {
  for (const place of charts.keys()) draw(place)
})

export function showChart(place: HTMLElement, insight: Insight): void {
  const known = charts.get(place)
  if (known && known.version === insight.last_refresh) return
  const chart = toChart(insight)
  if (known) {
    Object.assign(known, { chart, version: insight.last_refresh })
    draw(place)
    return
  }
  charts.set(place, { chart, version: insight.last_refresh, isSeen: false })
  seen.observe(place)
}

const toChart = ({ name, query, result, columns, marks }: Insight): Chart => ({
  title: name || 'Untitled',
  query,
  result: columns ? { columns, results: result } : result,
  marks,
})

/** Adds the new chart before removing the old one, to avoid flicker. */
function draw(place: HTMLElement): void {
  const live = charts.get(place)
  const { clientWidth: width, clientHeight: height } = place
  if (!live?.isSeen || width === 0 || height === 0) return
  const box = document.createElement('div')
  box.className = 'live'
  box.role = 'img'
  box.ariaLabel = live.chart.title
  const old = [...place.children]
  place.append(box)
  const remove = drawInto(box, live.chart, { scheme: schemeNow(), animation: false, width, height })
  live.remove?.()
  live.remove = remove
  for (const each of old) each.remove()
}
