import './shared.css'
import { toAgo } from '#model/ago.ts'
import type { SharedDashboard } from '#server/features/dashboards/sharing/schema.ts'
import { refreshFigures } from './figures.ts'

type Scene = SharedDashboard['dashboard']
type Tile = Scene['tiles'][number]

const SOON_MS = 3000
const LATER_MS = 60_000

const address = `${location.pathname.replace(/^\/embedded\//, '/shared/').replace(/\/$/, '')}.json`

/** What a look at the answers cannot change: if it did, the page is another one. */
const frameOf = ({ name, description, tiles }: Scene): string =>
  JSON.stringify([name, description, tiles.map(toFrame)])

const toFrame = ({ insight, ...tile }: Tile) => ({
  ...tile,
  insight: insight && [insight.name, insight.description, insight.query],
})

const agesOf = ({ tiles }: Scene): string =>
  tiles.map(({ insight }) => insight?.last_refresh ?? '').join()

let shown: { readonly frame: string; readonly ages: string } | undefined

/** The page came with drawings; these are replaced by charts that answer to the mouse, and kept up to date. */
async function look(): Promise<number> {
  const response = await fetch(address).catch(() => undefined)
  if (response?.status === 404) location.reload()
  if (!response?.ok) return LATER_MS
  const { dashboard } = (await response.json()) as SharedDashboard
  const [frame, ages] = [frameOf(dashboard), agesOf(dashboard)]
  if (shown && shown.frame !== frame) location.reload()
  const { showChart } = await import('./live-chart.ts')
  for (const { id, insight } of dashboard.tiles) {
    const place = document.querySelector<HTMLElement>(`[data-tile="${id}"]`)
    if (place && insight && insight.result !== null) showChart(place, insight)
  }
  if (shown ? shown.ages !== ages : isUnfinished()) await refreshFigures()
  shown = { frame, ages }
  return dashboard.tiles.some(({ insight }) => insight?.is_computing) ? SOON_MS : LATER_MS
}

/** Sent before there were answers to all of it. */
const isUnfinished = (): boolean =>
  document.querySelector('.chart > .message') !== null || /computed/.test(whenText())

const whenText = (): string => document.getElementById('when')?.textContent ?? ''

async function lookAgain(): Promise<void> {
  const pause = document.hidden ? LATER_MS : await look()
  for (const time of document.querySelectorAll('time')) time.textContent = toAgo(time.dateTime)
  setTimeout(lookAgain, pause)
}

void lookAgain()
