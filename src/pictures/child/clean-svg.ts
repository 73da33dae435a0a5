/**
 * Makes ECharts' SVG safe to inline under a strict content security policy: removes `<style>` and style
 * attributes, and makes IDs deterministic. Regular expressions are enough because ECharts escapes all text:
 * no `<` or bare quote comes from a user.
 */
export function cleanSvg(svg: string, idPrefix: string): string {
  return svg
    .replace(/<style[\s>][\s\S]*?<\/style>/g, '')
    .replace(/ (?:class|ecmeta_\w+|pointer-events|xml:space)="[^"]*"/g, '')
    .replace(/ style="([^"]*)"/g, (_, style: string) => toAttributes(style))
    .replace(/\b(id="|url\(#)zr\d+-/g, `$1${idPrefix}`)
    .replace(/\n+/g, '\n')
}

/** CSS properties that have an SVG attribute: `font-size:12px` becomes `font-size="12px"`. Others are dropped. */
const PRESENTATION = new Set([
  'font-size',
  'font-family',
  'font-weight',
  'font-style',
  'fill-opacity',
])

function toAttributes(style: string): string {
  return style
    .split(';')
    .map((rule) => rule.split(':').map((part) => part.trim()))
    .filter(([name]) => PRESENTATION.has(name ?? ''))
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('')
}

/** Returns the content of the root element. */
export const innerSvg = (svg: string): string =>
  svg.replace(/^[\s\S]*?<svg[^>]*>/, '').replace(/<\/svg>\s*$/, '')
