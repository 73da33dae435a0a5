import type { NumberFormat } from '../number-format.ts'
import type { Palette } from '../palette.ts'
import { BESIDE, CHARACTER } from './parts.ts'

interface LabelOptions {
  /** The number of marks beside each other. */
  readonly places: number
  /** Whether some of the labels are better than none. */
  readonly canSkip: boolean
  readonly width: number
  readonly format: NumberFormat
  readonly palette: Palette
}

/** Writes values beside their marks, and leaves out as many in between as would overlap. */
export function toValueLabels(
  values: readonly number[],
  { places, canSkip, width, format, palette }: LabelOptions,
) {
  const longest = values.reduce((most, value) => Math.max(most, format.short(value).length), 0)
  const step = Math.max(1, width - BESIDE) / Math.max(1, places)
  const every = Math.max(1, Math.ceil((longest * CHARACTER + 4) / step))
  if (every > 1 && !canSkip) return undefined
  return (position: 'top' | 'inside') => ({
    show: true,
    position,
    fontSize: 11,
    ...(position === 'top' && { color: palette.text }),
    formatter: ({ value, dataIndex }: { value?: unknown; dataIndex?: number }) =>
      typeof value === 'number' && (dataIndex ?? 0) % every === 0 ? format.short(value) : '',
  })
}
