import type { Drawing, Frame } from '../chart.ts'
import type { DisplaySettings } from '../display-settings.ts'
import type { TrendSeries } from '../query-results.ts'
import { toDetails } from './detail-rows.ts'
import { drawRows, ROW } from './table.ts'

/** A lower chart has no space for a table below it. */
const MIN_HEIGHT = 240
const MAX_SHARE = 0.45

/** Draws a chart, and below it a table of what each series comes to, if that is wanted and fits. */
export function withDetails(
  all: readonly TrendSeries[],
  frame: Frame,
  settings: DisplaySettings,
  draw: (frame: Frame) => Drawing,
): Drawing {
  if (!settings.showDetailedResults || frame.height < MIN_HEIGHT) return draw(frame)
  const table = toDetails(all, settings)
  const height = Math.min((table.rows.length + 1) * ROW, Math.floor(frame.height * MAX_SHARE))
  const top = frame.height - height
  const drawn = draw({ ...frame, height: top })
  const { grid, graphic } = drawn as { grid: { bottom: number }; graphic: object[] }
  const children = drawRows({ ...frame, height }, table)
  return {
    ...drawn,
    grid: { ...grid, bottom: grid.bottom + height },
    graphic: [...graphic, { type: 'group', y: top, children }],
  } as Drawing
}
