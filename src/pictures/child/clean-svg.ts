/**
 * ECharts' SVG as one that may stand inline under a strict content policy: no `<style>`, no style
 * attributes, and ids that are the same each time. It is the output of one known writer, in which all
 * text is escaped: neither `<` nor a bare quote can come from a user.
 */
export function cleanSvg(svg: string, idPrefix: string): string {
  return svg
    .replace(/<style[\s>][\s\S]*?<\/style>/g, '')
    .replace(/ (?:class|ecmeta_\w+|pointer-events|xml:space)="[^"]*"/g, '')
    .replace(/ style="([^"]*)"/g, (_, style: string) => toAttributes(style))
    .replace(/\b(id="|url\(#)zr\d+-/g, `$1${idPrefix}`)
    .replace(/\n+/g, '\n')
}

/** `font-size:12px;` can be said as `font-size="12px"`. What is none of these is nothing of ours. */
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
