import { type Chart, type Drawing, type Frame, NO_EVENTS } from '../chart.ts'
import { listOf } from '../fields.ts'
import { displayOf, unwrapQuery } from '../query-node.ts'
import type { TrendSeries } from '../query-results.ts'
import { isOneNumber } from '../series-names.ts'
import { calendar } from './calendar.ts'
import { message } from './parts.ts'
import { pie } from './pie.ts'
import { timeSeries } from './time-series.ts'
import { bigNumber, valueBars, valueTable } from './values.ts'

export function drawTrends({ query, result }: Chart, frame: Frame): Drawing {
  const series = listOf<TrendSeries>(result)
  const display = displayOf(query)
  if (display === 'BoldNumber' && series[0]) {
    return isOneNumber(series) ? bigNumber(series, frame) : valueTable(series, frame)
  }
  if (!series.some(hasValues)) return message(frame, NO_EVENTS)
  const { interval } = unwrapQuery(query).source
  const lines = () => timeSeries(series, frame, { shape: 'line', stacked: false, interval })
  switch (display) {
    case 'ActionsBarValue':
    case 'WorldMap': // drawn as bars by country, because a map would need border data
      return valueBars(series, frame)
    case 'ActionsPie':
      return pie(series, frame)
    case 'ActionsTable':
      return valueTable(series, frame)
    case 'CalendarHeatmap':
      return calendar(series, frame) ?? lines()
    case 'ActionsAreaGraph':
      return timeSeries(series, frame, { shape: 'area', stacked: true, interval })
    case 'ActionsBar':
    case 'ActionsStackedBar':
      return timeSeries(series, frame, { shape: 'bar', stacked: true, interval })
    case 'ActionsUnstackedBar':
      return timeSeries(series, frame, { shape: 'bar', stacked: false, interval })
    default:
      return lines()
  }
}

const hasValues = ({ data, aggregated_value }: TrendSeries): boolean =>
  Boolean(aggregated_value) || listOf<number>(data).some((value) => value !== 0)
