import type { LineSeriesOption } from 'echarts'
import type { DisplaySettings } from '../display-settings.ts'
import { toPrintable } from '../format.ts'
import type { Palette } from '../palette.ts'
import { FONT } from '../palette.ts'

/** A hidden axis from side to side: the points of the other one are in the middle of bars. */
export const SIDE_TO_SIDE = {
  type: 'value' as const,
  show: false,
  min: 0,
  max: 1,
  axisPointer: { show: false },
}

type Goals = NonNullable<DisplaySettings['goalLines']>

/** Leaves out the goals that are to disappear once a value reaches them. */
export const shownGoals = ({ goalLines }: DisplaySettings, values: readonly number[]): Goals =>
  (goalLines ?? []).filter(
    ({ value, displayIfCrossed }) =>
      displayIfCrossed !== false || values.every((reached) => reached < value),
  )

/** Draws goals as dashed lines with their labels at the right end. */
export const drawGoals = (goals: Goals, palette: Palette): LineSeriesOption[] =>
  goals.map(({ label, value, displayLabel }) => ({
    type: 'line',
    xAxisIndex: 1,
    silent: true,
    symbol: 'none',
    data: [
      [0, value],
      [1, value],
    ],
    tooltip: { show: false },
    lineStyle: { color: palette.text, width: 1.5, type: [6, 4] },
    itemStyle: { color: palette.text },
    z: 4,
    endLabel: {
      show: displayLabel !== false && label !== '',
      formatter: () => toPrintable(label),
      align: 'right',
      verticalAlign: 'bottom',
      distance: 0,
      offset: [0, -2],
      color: palette.text,
      fontSize: 11,
      fontFamily: FONT,
      width: 200,
      overflow: 'truncate',
    },
  }))

const DEFAULT_INTERVALS = 7

/** Averages each interval with those before it, as a thin line that follows its series in the legend. */
export function drawAverage(
  name: string,
  data: readonly number[],
  color: string,
  { movingAverageIntervals }: DisplaySettings,
): LineSeriesOption {
  const count = movingAverageIntervals ?? DEFAULT_INTERVALS
  return {
    type: 'line',
    name,
    silent: true,
    symbol: 'none',
    data: data.map((_, at) => {
      const last = data.slice(Math.max(0, at + 1 - count), at + 1)
      // the first intervals have too few before them
      return last.length < count ? null : last.reduce((sum, value) => sum + value, 0) / count
    }),
    lineStyle: { width: 1.5, type: [3, 3], color },
    itemStyle: { color },
    z: 3,
  }
}
