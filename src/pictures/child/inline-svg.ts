import type { Chart } from '#model/chart.ts'
import { toLabel } from '#model/format.ts'
import type { InlineLook } from '../contract.ts'
import { drawChart } from './engine.ts'
import { toSvg } from './sheet.ts'

export function inlineSvg(
  chart: Chart,
  { width, height, idPrefix }: InlineLook,
  note: (problem: string) => void,
): string {
  const title = toLabel(chart.title)
  const drawn = (scheme: 'light' | 'dark') =>
    drawChart(chart, { scheme, width, height, idPrefix }, note)
  const { content: light, summary } = drawn('light')
  const content = inBothSchemes(light, drawn('dark').content)
  return toSvg({ width, height, title, summary, content }, false)
}

const COLOR = /#[0-9a-f]{3,8}\b|rgba?\([\d., %]+\)/gi

/**
 * Merges the light and the dark drawing of a chart, which normally differ only in colors, into one with `light-dark()`
 * colors: half the size of both. If anything else differs, returns the light one.
 */
export function inBothSchemes(light: string, dark: string): string {
  const others = [...dark.matchAll(COLOR)].map(([color]) => color)
  if (light.replace(COLOR, '') !== dark.replace(COLOR, '')) return light
  let at = 0
  return light.replace(COLOR, (color) => {
    const other = others[at++]
    return other === color ? color : `light-dark(${color},${other})`
  })
}
