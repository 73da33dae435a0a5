import { describe, expect, it } from 'vitest'
import {
  heatColor,
  inkOn,
  luminance,
  paletteOf,
  RULE_COLORS,
  ruleColor,
  tinted,
  toAccent,
} from './palette.ts'

const light = paletteOf('light')
const dark = paletteOf('dark')

/** The contrast of WCAG 2. */
function toContrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

describe('chart colors', () => {
  it('of a heatmap range from the surface to the full color', () => {
    expect(heatColor(light, 1)).toBe(light.series[0])
    expect(heatColor(dark, 1)).toBe(dark.series[0])
    expect(heatColor(light, 7)).toBe(light.series[0])
    expect(heatColor(light, 0)).not.toBe(light.surface)
  })

  it('have readable text on them', () => {
    expect(inkOn(heatColor(light, 0))).toBe('#101614')
    expect(inkOn(heatColor(light, 1))).toBe('#ffffff')
    expect(inkOn(heatColor(dark, 0))).toBe('#ffffff')
    expect(inkOn(heatColor(dark, 1))).toBe('#101614')
  })

  it.each([light, dark])('of rules are readable as text, and behind it', (palette) => {
    for (const color of RULE_COLORS.map((name) => ruleColor(palette, name))) {
      expect(toContrast(color, palette.surface)).toBeGreaterThan(4.5)
      expect(toContrast(palette.text, tinted(palette, color))).toBeGreaterThan(4.5)
    }
  })

  it.each([light, dark])('have a red tile color that is red', (palette) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
      Number.parseInt((toAccent(palette, 'red') ?? '').slice(at, at + 2), 16),
    )

    expect(red - Math.max(green, blue)).toBeGreaterThan(100)
    expect(Math.abs(green - blue)).toBeLessThan(20)
  })

  it.each(['constructor', '__proto__', 'url(https://evil.test)', ''])(
    'do not exist for the name %j',
    (name) => {
      expect(toAccent(light, name)).toBeUndefined()
    },
  )
})
