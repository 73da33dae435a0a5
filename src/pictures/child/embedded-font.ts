import { readFileSync } from 'node:fs'
import { findFont } from './find-font.ts'

const FILE = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'

let style: string | undefined

/** Adds the app's font to an SVG file, which is shown on computers that do not have it. */
export const withFont = (svg: string): string => svg.replace('<title>', `${fontStyle()}<title>`)

/** The font as CSS, for Latin letters: 64 kB. */
export function fontStyle(): string {
  style ??= `<style>@font-face{font-family:"Inter Variable";font-weight:100 900;src:url(data:font/woff2;base64,${readFileSync(findFont(FILE)).toString('base64')})}</style>`
  return style
}
