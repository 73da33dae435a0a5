import type { Frame } from '../chart.ts'
import { hatchOn, heatColor, inkOn, paletteOf } from '../palette.ts'
import { drawBox, drawText, type Graphic } from './parts.ts'
import { hatchBox } from './unfinished.ts'

export interface HeatCell {
  readonly column: number
  readonly row: number
  /** The intensity of the color, 0 to 1. */
  readonly heat: number
  /** The label in several lengths; all cells use the first length that fits every cell. */
  readonly texts: readonly string[]
  /** May still grow. */
  readonly isHatched?: boolean
}

export interface CellGrid {
  readonly rows: readonly string[]
  readonly columns: readonly string[]
  readonly cells: readonly HeatCell[]
  readonly headWidth: number
  /** The text above the row names, for each length of the labels. */
  readonly corner?: readonly string[]
  /** The maximum size of a cell. */
  readonly mostWidth?: number
  readonly mostHeight?: number
}

const TOP = 24
const LETTER = 6.2

/** Draws a heatmap with column names on top and row names on the left. */
export function drawCells(frame: Frame, grid: CellGrid): Graphic[] {
  const palette = paletteOf(frame.scheme)
  const { rows, columns, headWidth, mostWidth = 140, mostHeight = 52 } = grid
  const width = Math.min(mostWidth, (frame.width - headWidth - 8) / columns.length)
  const height = Math.min(mostHeight, (frame.height - TOP - 6) / rows.length)
  const gap = width < 16 ? 1 : 2
  const label = Math.max(...columns.map((name) => name.length)) * LETTER + 8
  const every = Math.max(1, Math.ceil(label / width))
  const isCentered = every === 1
  const small = { fill: palette.dimmed, size: 11 }
  const toMiddle = (row: number) => TOP + row * height + height / 2

  const heads = columns.flatMap((name, at) =>
    at % every !== 0
      ? []
      : [
          drawText(name, {
            ...small,
            x: headWidth + at * width + (isCentered ? (width - gap) / 2 : 0),
            y: 12,
            align: isCentered ? 'center' : 'left',
          }),
        ],
  )
  const names = rows.map((name, at) =>
    drawText(name, { ...small, x: 8, y: toMiddle(at), width: headWidth - 14 }),
  )
  const fits = (text: string | undefined) => !text || width >= text.length * 6.4 + 4
  const lengths = Math.max(0, ...grid.cells.map(({ texts }) => texts.length))
  const length = Array.from({ length: lengths }, (_, at) => at).find((at) =>
    grid.cells.every(({ texts }) => fits(texts[at])),
  )
  const boxes = grid.cells.flatMap(({ column, row, heat, texts, isHatched }) => {
    const fill = heatColor(palette, heat)
    const [x, y] = [headWidth + column * width, TOP + row * height]
    const radius = width < 16 ? 2 : 4
    const place = { x, y, width: width - gap, height: height - gap }
    const box = drawBox({ ...place, fill, radius })
    const hatching = isHatched ? hatchBox(place, hatchOn(fill)) : []
    const text = length === undefined ? undefined : texts[length]
    if (!text || height < 14) return [box, ...hatching]
    const ink = drawText(text, {
      x: x + (width - gap) / 2,
      y: toMiddle(row) - gap / 2,
      fill: inkOn(fill),
      size: 11,
      align: 'center',
    })
    return [box, ...hatching, ink]
  })
  const hint = length === undefined ? undefined : grid.corner?.[length]
  const corner = hint ? [drawText(hint, { ...small, x: 8, y: 12 })] : []
  return [...corner, ...heads, ...names, ...boxes]
}
