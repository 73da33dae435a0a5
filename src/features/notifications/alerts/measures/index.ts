import type { QueryKindName } from '#model/query-kinds/index.ts'
import { measureFunnel } from './funnels.ts'
import type { Measure } from './measure.ts'
import { measureRetention } from './retention.ts'
import { measureFigure, measureLink, measureShare, measureVisitors } from './row.ts'
import { measureSeries } from './series.ts'
import { measureSql } from './sql.ts'
import { measureStickiness } from './stickiness.ts'

/** The number of each kind that alerts watch. Only the server needs them, so the web app does not load them. */
export const MEASURES: Readonly<Record<QueryKindName, Measure>> = {
  TrendsQuery: measureSeries,
  LifecycleQuery: measureSeries,
  RetentionQuery: measureRetention,
  StickinessQuery: measureStickiness,
  FunnelsQuery: measureFunnel,
  HogQLQuery: measureSql,
  PathsQuery: measureLink,
  WebOverviewQuery: measureFigure,
  WebStatsTableQuery: measureVisitors,
  WebGoalsQuery: measureShare,
}
