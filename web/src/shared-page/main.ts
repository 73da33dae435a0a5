import './shared.css'
import { toAgo } from '#model/ago.ts'
import type { SharedDashboard, SharedScene } from '#server/features/dashboards/sharing/schema.ts'
import { connectFrame, isSigned, replaceToken } from './frame.ts'
import { dataQuery, watchSections } from './sections.ts'
import { refreshTables } from './tables.ts'

type Tile = SharedDashboard['tiles'][number]
/** An insight is shown as one tile. */
type ShownTile = Pick<Tile, 'insight'> & Partial<Tile>

interface Shown {
  readonly name: string
  readonly description: string
  readonly tiles: readonly ShownTile[]
}

const COMPUTING_POLL_MS = 3000
const POLL_MS = 60_000
const STATE_POLL_MS = 1000
/** The link was revoked, has ended, has another password or no longer allows what was chosen. The page says so. */
const CLOSED = [400, 401, 403, 404, 410]

const toLink = (path: string): string =>
  (isSigned() ? path : path.replace(/^\/embedded\//, '/shared/')).replace(/\/$/, '')

let link = toLink(location.pathname)

/** Everything but the results: if it changes, the page reloads. */
const layoutKey = ({ name, description, tiles }: Shown): string =>
  JSON.stringify([name, description, tiles.map(toTileKey)])

const toTileKey = ({ insight, ...tile }: ShownTile) => ({
  ...tile,
  insight: insight && [insight.name, insight.description, insight.query],
})

const refreshKey = ({ tiles }: Shown): string =>
  tiles.map(({ insight }) => insight?.last_refresh ?? '').join()

const toShown = ({ dashboard, insight }: SharedScene): Shown =>
  dashboard ?? { name: '', description: '', tiles: insight ? [{ insight }] : [] }

let shown: { readonly layout: string; readonly refreshed: string } | undefined

/** Replaces the static images by interactive charts and keeps them current. Returns the pause in ms. */
async function update(): Promise<number> {
  // the server counts views, and a refresh is none
  const options = { headers: { 'x-live-page': '1' } }
  const response = await fetch(`${link}.json${dataQuery()}`, options).catch(() => undefined)
  if (response && CLOSED.includes(response.status)) location.reload()
  if (!response?.ok) return POLL_MS
  const dashboard = toShown((await response.json()) as SharedScene)
  const [layout, refreshed] = [layoutKey(dashboard), refreshKey(dashboard)]
  if (shown && shown.layout !== layout) location.reload()
  const { loadTiles, showChart } = await import('./live-chart.ts')
  await loadTiles(dashboard.tiles)
  for (const { id, insight } of dashboard.tiles) {
    const place = document.querySelector<HTMLElement>(id ? `[data-tile="${id}"]` : '[data-tile]')
    if (place && insight && insight.result !== null) showChart(place, insight)
  }
  if (shown ? shown.refreshed !== refreshed : isIncomplete()) await refreshTables()
  shown = { layout, refreshed }
  return dashboard.tiles.some(({ insight }) => insight?.is_computing) ? COMPUTING_POLL_MS : POLL_MS
}

/** The server sent the page before all results were computed. */
const isIncomplete = (): boolean =>
  document.querySelector('.chart > .message') !== null || /computed/.test(whenText())

const whenText = (): string => document.getElementById('when')?.textContent ?? ''

let timer: ReturnType<typeof setTimeout>

async function poll(): Promise<void> {
  clearTimeout(timer)
  const pause = document.hidden ? POLL_MS : await update()
  for (const time of document.querySelectorAll('time')) time.textContent = toAgo(time.dateTime)
  clearTimeout(timer) // two polls can overlap when a section opens
  timer = setTimeout(poll, pause)
}

/** Closes the page soon after its link. A stream would take one of the few connections that pages of a site share. */
async function watchLink(): Promise<void> {
  const response = document.hidden ? undefined : await fetch(`${link}/state`).catch(() => undefined)
  if (response && CLOSED.includes(response.status)) location.reload()
  setTimeout(watchLink, STATE_POLL_MS)
}

watchSections(() => void poll())

connectFrame((token) => {
  if (isSigned()) link = replaceToken(token)
})

void poll()
setTimeout(watchLink, STATE_POLL_MS)
