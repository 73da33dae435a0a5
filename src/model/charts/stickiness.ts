import { type Chart, type Drawing, type Frame, NO_EVENTS } from '../chart.ts'
import { toLabel } from '../format.ts'
import { listOf } from '../json.ts'
import { paler, paletteOf, seriesColor } from '../palette.ts'
import type { StickinessSeries } from '../query-results.ts'
import { nameSeries } from '../series-names.ts'
import { legendBelow } from './legend.ts'
import { base, categoryAxis, gridAbove, message, valueAxis } from './parts.ts'
import { summarizeSeries } from './summary.ts'

/** Draws the number of persons who were active in one interval, in two, in three, ... */
export function drawStickiness({ result }: Chart, frame: Frame): Drawing {
  const palette = paletteOf(frame.scheme)
  const all = listOf<StickinessSeries>(result)
  if (!all.some(({ data }) => data.some((value) => value > 0))) return message(frame, NO_EVENTS)
  const named = nameSeries(all)
  const names = named.map(({ name }) => name)
  const { legend, height, graphic } = legendBelow(frame, names)
  const intervals = (all[0]?.labels ?? []).map(toLabel)
  return {
    ...base(frame),
    legend,
    graphic,
    grid: gridAbove(height),
    xAxis: categoryAxis(palette, intervals),
    yAxis: valueAxis(
      palette,
      all.flatMap(({ data }) => data),
    ),
    series: named.map(({ series, name, hue, isPrevious }) => {
      const color = seriesColor(palette, hue)
      return {
        type: 'bar',
        name,
        data: [...series.data],
        barMaxWidth: 36,
        itemStyle: {
          color: isPrevious ? paler(palette, color) : color,
          borderRadius: [2, 2, 0, 0],
        },
      }
    }),
    summary: summarizeSeries(named, intervals),
    findPoint: (series, index) => ({ series, index }),
  }
}
