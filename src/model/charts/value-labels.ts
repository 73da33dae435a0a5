import { findColor } from '../color-rules.ts'
import type { DisplaySettings } from '../display-settings.ts'
import type { NumberFormat } from '../number-format.ts'
import { type Palette, ruleColor } from '../palette.ts'
import { BESIDE, CHARACTER } from './parts.ts'

interface LabelOptions {
  /** The number of marks beside each other. */
  readonly places: number
  /** Whether some of the labels are better than none. */
  readonly canSkip: boolean
  readonly width: number
  readonly format: NumberFormat
  readonly palette: Palette
  readonly rules: DisplaySettings['colorRules']
}

/** Writes values beside their marks, and leaves out as many in between as would overlap. */
export function toValueLabels(
  values: readonly number[],
  { places, canSkip, width, format, palette, rules }: LabelOptions,
) {
  const longest = values.reduce((most, value) => Math.max(most, format.short(value).length), 0)
  const step = Math.max(1, width - BESIDE) / Math.max(1, places)
  const every = Math.max(1, Math.ceil((longest * CHARACTER + 4) / step))
  if (every > 1 && !canSkip) return undefined
  const colored = colorLabels(rules, palette)
  return (position: 'top' | 'inside') => {
    // inside a bar, the color of a rule would be on the color of the series
    const write = position === 'top' ? colored.write : withoutColor
    return {
      show: true,
      position,
      fontSize: 11,
      ...(position === 'top' && { color: palette.text, rich: colored.rich }),
      formatter: ({ value, dataIndex }: { value?: unknown; dataIndex?: number }) =>
        typeof value === 'number' && (dataIndex ?? 0) % every === 0
          ? write(format.short(value), value)
          : '',
    }
  }
}

const withoutColor = (text: string): string => text

/** Colors labels by rules: `write` marks a text with a style of `rich`. */
export function colorLabels(rules: DisplaySettings['colorRules'], palette: Palette) {
  const colors = new Set((rules ?? []).map(({ color }) => color))
  return {
    rich: Object.fromEntries(
      [...colors].map((each) => [each, { color: ruleColor(palette, each) }]),
    ),
    write(text: string, value: number): string {
      const color = findColor(value, rules)
      // the marks of a style would end it
      return color ? `{${color}|${text.replace(/[{}|]/g, ' ')}}` : text
    },
  }
}
