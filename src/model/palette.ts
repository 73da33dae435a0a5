import type { Scheme } from './chart.ts'

export interface Palette {
  readonly canvas: string
  readonly surface: string
  readonly hairline: string
  readonly text: string
  readonly dimmed: string
  /** Better and worse than before, beside an arrow. */
  readonly green: string
  readonly red: string
  readonly orange: string
  readonly blue: string
  readonly purple: string
  /** Distinguishable in this order with color blindness too; contrast of at least 3:1 on the surface. */
  readonly series: readonly string[]
}

/** The app's font: its name in the web app, then on shared pages and in pictures, then a fallback. */
export const FONT = 'Inter Variable, Inter, sans-serif'

const PALETTES: Record<Scheme, Palette> = {
  light: {
    canvas: '#f7f9f8',
    surface: '#ffffff',
    hairline: '#e4e8e5',
    text: '#1c2420',
    dimmed: '#5f6b65',
    green: '#237a37',
    red: '#c92a2a',
    orange: '#a85400',
    blue: '#3b5fc9',
    purple: '#6e3f92',
    series: toColors('297251 4b73dd d77006 a25999 06a0cc 832c11 6e3f92 7e9963 3f4b56 c276a3'),
  },
  dark: {
    canvas: '#141716',
    surface: '#1a1e1c',
    hairline: '#2c3230',
    text: '#e4e9e6',
    dimmed: '#98a39d',
    green: '#69db7c',
    red: '#ff6b6b',
    orange: '#f8b62b',
    blue: '#8fa9ff',
    purple: '#bbacfa',
    series: toColors('74d3a6 4e67c7 f8b62b bc3b77 149bc9 e87a42 bbacfa 727008 ccd5ed bc7890'),
  },
}

function toColors(digits: string): string[] {
  return digits.split(' ').map((color) => `#${color}`)
}

export const paletteOf = (scheme: Scheme): Palette => PALETTES[scheme]

export const seriesColor = (palette: Palette, index: number): string =>
  palette.series[index % palette.series.length] as string

/** Adds dashes after the sixth series, where color alone is not enough. Dots are for incomplete periods. */
export function seriesDash(index: number): 'solid' | number[] {
  if (index < 6) return 'solid'
  return index % 2 === 0 ? [9, 4] : [9, 4, 3, 4]
}

export const TILE_COLORS: readonly string[] = ['blue', 'green', 'purple', 'red', 'black']

/** Resolves a tile's `color`. It may be any text, so only known names count. */
export function toAccent(palette: Palette, color: string | null): string | undefined {
  const accents: Readonly<Record<string, string | undefined>> = {
    blue: palette.series[1],
    green: palette.series[0],
    purple: palette.series[6],
    red: palette.red,
    black: palette.text,
  }
  return color !== null && Object.hasOwn(accents, color) ? accents[color] : undefined
}

/** The colors that rules give to numbers. Their contrast on the surface is that of text. */
export const RULE_COLORS = ['green', 'orange', 'red', 'blue', 'purple', 'gray'] as const
export type RuleColor = (typeof RULE_COLORS)[number]

export const ruleColor = (palette: Palette, color: RuleColor): string =>
  color === 'gray' ? palette.dimmed : palette[color]

/** Lightens a color so that it can be behind text. */
export const tinted = (palette: Palette, color: string): string => overSurface(palette, color, 0.25)

/** Interpolates from the surface at 0 to the first series' color at 1. */
export const heatColor = (palette: Palette, share: number): string =>
  overSurface(palette, seriesColor(palette, 0), 0.06 + 0.94 * Math.min(1, Math.max(0, share)))

/** Lightens the color for a previous period. Opacity would fade the labels too. */
export const paler = (palette: Palette, color: string): string => overSurface(palette, color, 0.45)

function overSurface(palette: Palette, color: string, weight: number): string {
  const [from, to] = [toRgb(palette.surface), toRgb(color)]
  const mixed = from.map((part, at) => Math.round(part + ((to[at] as number) - part) * weight))
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** Returns black or white, whichever has more contrast on the background. */
export const inkOn = (background: string): string =>
  luminance(background) > 0.18 ? '#101614' : '#ffffff'

/** Returns the other of the two, so that hatching raises the contrast of the ink. */
export const hatchOn = (background: string): string =>
  inkOn(background) === '#ffffff' ? '#101614' : '#ffffff'

/** The relative luminance of WCAG 2. */
export function luminance(color: string): number {
  const [red, green, blue] = toRgb(color).map((part) => {
    const share = part / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const toRgb = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
