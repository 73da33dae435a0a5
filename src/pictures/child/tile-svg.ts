import type { Scheme } from '#model/chart.ts'
import { toLabel } from '#model/format.ts'
import { paletteOf, toAccent } from '#model/palette.ts'
import type { TilePicture } from '../contract.ts'
import { drawChart, drawMessage } from './engine.ts'
import { type ShownTile, sectionSvg } from './sections.ts'
import { boxSvg, textSvg } from './sheet.ts'
import { markdownSvg } from './text-svg.ts'

export interface TileBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly scheme: Scheme
}

const HEAD = 40
const PADDING = 16

/** Draws a tile as a card, title and chart or text, or as the title of a section. */
export function tileSvg(
  tile: ShownTile,
  box: TileBox,
  idPrefix: string,
  note: (problem: string) => void,
): string {
  const place = (content: string) => `<g transform="translate(${box.x} ${box.y})">${content}</g>`
  if (tile.section) return place(sectionSvg(tile, box))
  const palette = paletteOf(box.scheme)
  const card = boxSvg({
    x: 0.5,
    y: 0.5,
    width: box.width - 1,
    height: box.height - 1,
    fill: palette.surface,
    radius: 12,
    stroke: palette.hairline,
  })
  const content =
    tile.text !== undefined ? markdownSvg(tile.text, box) : drawTile(tile, box, idPrefix, note)
  return place(card + content)
}

function drawTile(
  tile: TilePicture,
  { width, height, scheme }: TileBox,
  idPrefix: string,
  note: (problem: string) => void,
): string {
  const palette = paletteOf(scheme)
  const accent = toAccent(palette, tile.color)
  const left = accent ? PADDING + 14 : PADDING
  const dot = accent ? `<circle cx="${PADDING + 4}" cy="21" r="4" fill="${accent}"/>` : ''
  const title = textSvg({
    text: toLabel(tile.title),
    x: left,
    y: 26,
    size: 13,
    weight: 600,
    fill: palette.text,
    width: width - left - PADDING,
  })
  const inner = { width: width - 12, height: height - HEAD - 6, scheme, idPrefix }
  const chart =
    tile.problem === undefined && tile.query
      ? drawChart({ ...tile, query: tile.query, result: tile.result }, inner, note).content
      : drawMessage(toLabel(tile.problem ?? 'There is nothing to draw'), inner)
  return `${dot}${title}<g transform="translate(6 ${HEAD})">${chart}</g>`
}
