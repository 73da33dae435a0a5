import { type Chart, type Drawing, type Frame, NO_EVENTS } from '../chart.ts'
import { displayOf, TREND_DISPLAYS } from '../displays.ts'
import { listOf } from '../json.ts'
import { unwrapQuery } from '../query-node.ts'
import type { TrendSeries } from '../query-results.ts'
import { message } from './parts.ts'
import { drawSeries } from './series.ts'

export function drawTrends({ query, result }: Chart, frame: Frame): Drawing {
  const all = listOf<TrendSeries>(result)
  const display = displayOf(TREND_DISPLAYS, query)
  // a number shows zero
  const isShown = display.form === 'number' ? all.length > 0 : all.some(hasValues)
  if (!isShown) return message(frame, NO_EVENTS)
  return drawSeries(display, all, frame, unwrapQuery(query).source.interval)
}

const hasValues = ({ data, aggregated_value }: TrendSeries): boolean =>
  Boolean(aggregated_value) || listOf<number>(data).some((value) => value !== 0)
