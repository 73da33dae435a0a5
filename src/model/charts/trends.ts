import type { EChartsOption } from 'echarts'
import { type Chart, displayOf, type Look, listOf, unwrap } from '../chart.ts'
import type { TrendSeries } from '../query-results.ts'
import { calendar } from './calendar.ts'
import { message, NO_EVENTS } from './parts.ts'
import { pie } from './pie.ts'
import { timeSeries } from './time-series.ts'
import { bigNumber, valueBars, valueTable } from './values.ts'

export function trends({ query, result }: Chart, look: Look): EChartsOption {
  const series = listOf<TrendSeries>(result)
  const display = displayOf(query)
  if (display === 'BoldNumber' && series[0]) return bigNumber(series, look)
  if (!series.some(hasValues)) return message(look, NO_EVENTS)
  const { interval } = unwrap(query).source
  switch (display) {
    case 'ActionsBarValue':
    case 'WorldMap': // a map needs borders of somebody's; the countries as bars say the same
      return valueBars(series, look)
    case 'ActionsPie':
      return pie(series, look)
    case 'ActionsTable':
      return valueTable(series, look)
    case 'CalendarHeatmap':
      return calendar(series, look)
    case 'ActionsAreaGraph':
      return timeSeries(series, look, { shape: 'area', stacked: true, interval })
    case 'ActionsBar':
    case 'ActionsStackedBar':
      return timeSeries(series, look, { shape: 'bar', stacked: true, interval })
    case 'ActionsUnstackedBar':
      return timeSeries(series, look, { shape: 'bar', stacked: false, interval })
    default:
      return timeSeries(series, look, { shape: 'line', stacked: false, interval })
  }
}

const hasValues = ({ data, aggregated_value }: TrendSeries): boolean =>
  Boolean(aggregated_value) || listOf<number>(data).some((value) => value !== 0)
