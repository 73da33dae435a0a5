import { describe, expect, it } from 'vitest'
import { heatColor, inkOn, paletteOf, toAccent } from './palette.ts'

const light = paletteOf('light')
const dark = paletteOf('dark')

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
