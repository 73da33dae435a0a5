import type { EChartsOption } from 'echarts'
import { type Chart, type Look, unwrap } from '../chart.ts'
import { funnel } from './funnel.ts'
import { lifecycle } from './lifecycle.ts'
import { message } from './parts.ts'
import { paths } from './paths.ts'
import { retention } from './retention.ts'
import { sql } from './sql.ts'
import { stickiness } from './stickiness.ts'
import { trends } from './trends.ts'

type Draw = (chart: Chart, look: Look) => EChartsOption

const KINDS: ReadonlyMap<unknown, Draw> = new Map([
  ['TrendsQuery', trends],
  ['FunnelsQuery', funnel],
  ['RetentionQuery', retention],
  ['LifecycleQuery', lifecycle],
  ['StickinessQuery', stickiness],
  ['PathsQuery', paths],
  ['HogQLQuery', sql],
])

/** Plain data in, an option for ECharts out: the same for the server's pictures and for browsers. */
export function toOption(chart: Chart, look: Look): EChartsOption {
  const draw = KINDS.get(unwrap(chart.query).source.kind)
  if (!draw) return message(look, 'There is no picture of this kind of query')
  if (chart.result === null || chart.result === undefined) return message(look, 'Not computed yet')
  return draw(chart, look)
}
