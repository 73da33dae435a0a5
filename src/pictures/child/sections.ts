import { toLabel } from '#model/format.ts'
import { paletteOf } from '#model/palette.ts'
import { pluralize } from '#model/pluralize.ts'
import { groupTiles } from '#model/sections.ts'
import type { TilePicture } from '../contract.ts'
import { textWidth } from './fonts.ts'
import { boxSvg, textSvg } from './sheet.ts'
import type { TileBox } from './tile-svg.ts'

/** A tile of a picture. The title of a folded section says how many tiles it hides. */
export interface ShownTile extends TilePicture {
  readonly hidden?: number
}

/** Leaves out the tiles of folded sections. */
export const toShownTiles = (tiles: readonly TilePicture[]): ShownTile[] =>
  groupTiles(tiles).flatMap(({ title, items }) =>
    title?.section === 'folded'
      ? [{ ...title, hidden: items.length }]
      : [...(title ? [title] : []), ...items],
  )

const SIZE = 16
const COUNT_SIZE = 13

/** Draws the title of a section above a line. */
export function sectionSvg({ text = '', hidden }: ShownTile, { width, height, scheme }: TileBox) {
  const palette = paletteOf(scheme)
  const y = height - 20
  const count = hidden === undefined ? '' : `${pluralize(hidden, 'tile')} folded`
  const countWidth = Math.ceil(textWidth(count, COUNT_SIZE, 400))
  const title = textSvg({
    text: toLabel(text),
    x: 0,
    y,
    size: SIZE,
    weight: 600,
    fill: palette.text,
    width: width - countWidth - 16,
  })
  const note = textSvg({
    text: count,
    x: width - countWidth,
    y,
    size: COUNT_SIZE,
    weight: 400,
    fill: palette.dimmed,
    width: countWidth + 1,
  })
  const line = boxSvg({ x: 0, y: height - 8, width, height: 1, fill: palette.hairline })
  return `${title}${count && note}${line}`
}
