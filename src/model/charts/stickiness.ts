import { type Chart, type Drawing, type Frame, NO_EVENTS } from '../chart.ts'
import { settingsOf } from '../display-settings.ts'
import { toLabel } from '../format.ts'
import { listOf } from '../json.ts'
import { toNumberFormat } from '../number-format.ts'
import { paletteOf } from '../palette.ts'
import type { StickinessSeries } from '../query-results.ts'
import { lookOf } from '../series-look.ts'
import { nameSeries } from '../series-names.ts'
import { legendBelow } from './legend.ts'
import { base, categoryAxis, gridAbove, hasAxisTitles, message, valueAxis } from './parts.ts'
import { summarizeSeries } from './summary.ts'
import { toValueLabels } from './value-labels.ts'

/** Draws the number of persons who were active in one interval, in two, in three, ... */
export function drawStickiness({ query, result }: Chart, frame: Frame): Drawing {
  const palette = paletteOf(frame.scheme)
  const all = listOf<StickinessSeries>(result)
  if (!all.some(({ data }) => data.some((value) => value > 0))) return message(frame, NO_EVENTS)
  const settings = settingsOf(query)
  const format = toNumberFormat(settings)
  const named = nameSeries(all)
  const names = named.map(({ name }) => name)
  const look = lookOf(named, palette, settings)
  const { legend, height, graphic } = legendBelow(frame, names, {
    show: settings.showLegend,
    hidden: look.hidden,
  })
  const intervals = (all[0]?.labels ?? []).map(toLabel)
  const values = all.flatMap(({ data }) => data)
  const labels = settings.showValuesOnSeries
    ? toValueLabels(values, {
        places: intervals.length * named.length,
        canSkip: named.length === 1,
        width: frame.width,
        format,
        palette,
        rules: settings.colorRules,
      })
    : undefined
  return {
    ...base(frame),
    legend,
    graphic,
    grid: gridAbove(height, labels ? 24 : 14, 10, hasAxisTitles(settings)),
    xAxis: categoryAxis(palette, intervals, settings.xAxisLabel),
    yAxis: valueAxis(palette, { values, format, settings }),
    series: named.map((one) => ({
      type: 'bar',
      name: one.name,
      data: [...one.series.data],
      barMaxWidth: 36,
      itemStyle: { color: look.colorOf(one), borderRadius: [2, 2, 0, 0] },
      ...(labels && { label: labels('top') }),
    })),
    summary: summarizeSeries(named, intervals, format),
    format,
    findPoint: (series, index) => ({ series, index }),
  }
}
