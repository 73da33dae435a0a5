import type { Chart } from '#model/chart.ts'
import { toLabel } from '#model/format.ts'
import { paletteOf } from '#model/palette.ts'
import type { PictureLook } from '../contract.ts'
import { drawChart } from './engine.ts'
import { boxSvg, type Sheet, textSvg } from './sheet.ts'

const TITLE_HEIGHT = 40
const PADDING = 8

const clamp = (low: number, value: number, high: number): number =>
  Math.round(Math.min(high, Math.max(low, Number.isFinite(value) ? value : low)))

/** Draws one chart with a background and, unless disabled, a title. */
export function chartSvg(chart: Chart, look: PictureLook, note: (problem: string) => void): Sheet {
  const palette = paletteOf(look.scheme)
  const width = clamp(160, look.width, 4000)
  const height = clamp(120, look.height, 4000)
  const title = toLabel(chart.title)
  const top = look.withTitle === false ? 0 : TITLE_HEIGHT
  const box = { width: width - 2 * PADDING, height: height - top - PADDING }
  const { content: drawn, summary } = drawChart(
    chart,
    { ...box, scheme: look.scheme, idPrefix: 'c-' },
    note,
  )
  const heading = textSvg({
    text: title,
    x: 20,
    y: 26,
    size: 15,
    weight: 600,
    fill: palette.text,
    width: width - 40,
  })
  const content = `${boxSvg({ x: 0, y: 0, width, height, fill: palette.surface })}${top > 0 ? heading : ''}<g transform="translate(${PADDING} ${top})">${drawn}</g>`
  return { width, height, title, summary, content }
}
