import { type Chart, type Drawing, type Frame, NO_EVENTS } from '../chart.ts'
import { settingsOf } from '../display-settings.ts'
import { displayOf, TREND_DISPLAYS } from '../displays.ts'
import { listOf } from '../json.ts'
import { toNumberFormat } from '../number-format.ts'
import { unwrapQuery } from '../query-node.ts'
import type { TrendSeries } from '../query-results.ts'
import { message } from './parts.ts'
import { drawSeries } from './series.ts'

export function drawTrends({ query, result }: Chart, frame: Frame): Drawing {
  const all = listOf<TrendSeries>(result)
  const display = displayOf(TREND_DISPLAYS, query)
  // a number shows zero
  const isShown = ['number', 'gauge'].includes(display.form) ? all.length > 0 : all.some(hasValues)
  if (!isShown) return message(frame, NO_EVENTS)
  const { interval } = unwrapQuery(query).source
  const settings = settingsOf(query)
  return drawSeries(all, frame, { display, interval, settings, format: toNumberFormat(settings) })
}

const hasValues = ({ data, aggregated_value }: TrendSeries): boolean =>
  Boolean(aggregated_value) || listOf<number>(data).some((value) => value !== 0)
