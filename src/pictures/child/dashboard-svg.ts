import type { Scheme } from '#model/chart.ts'
import { toLabel } from '#model/format.ts'
import { COLUMNS, GAP, type Position, packTiles, ROW_HEIGHT } from '#model/grid.ts'
import { type Palette, paletteOf } from '#model/palette.ts'
import type { DashboardPicture } from '../contract.ts'
import { toPages } from './layout.ts'
import { toShownTiles } from './sections.ts'
import { boxSvg, type Sheet, textSvg, wrapText } from './sheet.ts'
import { tileSvg } from './tile-svg.ts'

const MARGIN = 24
const ONE_COLUMN_BELOW = 640
/** More tiles would make the picture unreadable. */
const MAX_TILES = 100

export interface SheetLook {
  readonly scheme: Scheme
  readonly width: number
  /** Omit it to get one sheet as high as its tiles need. */
  readonly pageHeight?: number | undefined
}

/** Draws the dashboard's title, description and time, and its tiles in the dashboard's layout. */
export function dashboardPages(
  dashboard: DashboardPicture,
  look: SheetLook,
  note: (problem: string) => void,
): Sheet[] {
  const palette = paletteOf(look.scheme)
  const width = Math.round(Math.min(2400, Math.max(280, look.width)))
  const isOneColumn = width < ONE_COLUMN_BELOW
  const margin = isOneColumn ? 12 : MARGIN
  const tiles = toShownTiles(dashboard.tiles)
  const head = headSvg({ ...dashboard, tiles }, palette, width, margin)
  const placed = packTiles(tiles.slice(0, MAX_TILES), { isSingleColumn: isOneColumn })
  const rowsIn = (height: number) => Math.floor((height + GAP) / (ROW_HEIGHT + GAP))
  const pages = look.pageHeight
    ? toPages(
        placed,
        rowsIn(look.pageHeight - 2 * margin),
        rowsIn(look.pageHeight - head.height - margin),
      )
    : [placed]

  return pages.map((tiles, page) => {
    const top = page === 0 ? head.height : margin
    const rows = Math.max(0, ...tiles.map(({ y, h }) => y + h))
    const height = look.pageHeight ?? top + rows * (ROW_HEIGHT + GAP) + margin
    const drawn = tiles.map((one, at) =>
      tileSvg(
        one.tile,
        { ...toBox(one, width, margin, top), scheme: look.scheme },
        `p${page}t${at}-`,
        note,
      ),
    )
    const fill = look.pageHeight ? palette.surface : palette.canvas
    const background = boxSvg({ x: 0, y: 0, width, height, fill })
    const content = `${background}${page === 0 ? head.content : ''}${drawn.join('')}`
    return { width, height, title: toLabel(dashboard.title), content }
  })
}

function toBox({ x, y, w, h }: Position, width: number, margin: number, top: number) {
  const column = (width - 2 * margin + GAP) / COLUMNS
  return {
    x: Math.round(margin + x * column),
    y: top + y * (ROW_HEIGHT + GAP),
    width: Math.round(w * column - GAP),
    height: h * (ROW_HEIGHT + GAP) - GAP,
  }
}

function headSvg(
  { title, description, takenAt, tiles }: DashboardPicture,
  palette: Palette,
  width: number,
  margin: number,
) {
  const textWidth = width - 2 * margin
  const lines = description.trim() === '' ? [] : wrapText(toLabel(description), textWidth, 13, 2)
  const omitted = tiles.length - MAX_TILES
  const when = `${formatTime(takenAt)}${omitted > 0 ? `, without ${omitted} more tiles` : ''}`
  const small = {
    x: margin,
    size: 13,
    weight: 400,
    fill: palette.dimmed,
    width: textWidth,
  } as const
  const content = [
    textSvg({
      ...small,
      text: toLabel(title),
      y: margin + 22,
      size: 22,
      weight: 600,
      fill: palette.text,
    }),
    ...[...lines, when].map((text, at) => textSvg({ ...small, text, y: margin + 46 + at * 19 })),
  ]
  return { content: content.join(''), height: margin + 46 + lines.length * 19 + 22 }
}

/** Formats a time as `15 Nov 2026, 08:23 UTC`. */
function formatTime(takenAt: string): string {
  const at = new Date(takenAt)
  if (Number.isNaN(at.getTime())) return ''
  const format = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  return `${format.format(at)} UTC`
}
