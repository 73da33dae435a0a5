import { sql } from 'kysely'
import type { FunnelsQuery } from '#model/query-kinds/funnels.schema.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { invalid, required } from '#server/errors.ts'
import { type ActorSet, type FunnelPoint, findInterval } from '../actors.ts'
import { requireBreakdownText } from '../breakdown.ts'
import { toRequired } from '../columns.ts'
import { and } from '../filters.ts'
import type { Context } from '../plan.ts'
import { placeAttempts } from './attempts.ts'
import { type Funnel, listColumns, parseFunnel } from './funnel.ts'
import { selectBegun } from './shape-trends.ts'
import { isStep, stepNumbers, time } from './step-columns.ts'

/** Selects the persons who reached a step of a funnel, dropped off before it, or took a time to convert. Their events are the steps taken. */
export function selectFunnelsQueryActors(
  query: FunnelsQuery,
  point: FunnelPoint,
  context: Context,
): ActorSet {
  const funnel = parseFunnel(query, context)
  const ofAttempts = chooseAttempts(funnel, point)
  const isChosen = and([...ofAttempts, ...chooseValue(funnel, point)])
  const taken = stepNumbers(query.series.length).map(
    (step) => sql`case when ${time(step)} is null then 0 else 1 end`,
  )
  const once = sql.raw(funnel.breakdown?.cohorts ? 'distinct' : '') // a person can be in several cohorts
  return {
    ...toRequired(listColumns(funnel), funnel.range),
    toSql: (table) => sql`with ${sql.join(placeAttempts(table, funnel))}
      select ${once} person, ${sql.join(taken, sql` + `)} as events
      from ${selectAttempts(table, funnel)} where ${isChosen}`,
    toEvents: (table) => sql`with ${sql.join(placeAttempts(table, funnel, true))}
      select ${once} found.uuid, found.ms
      from found join (select * from ${selectAttempts(table, funnel)} where ${isChosen}) chosen
        on chosen.person = found.person and ${isTaken(funnel)}`,
  }
}

/** Matches the events with which the steps were taken; of several at the same moment, all. */
function isTaken({ query, order }: Funnel): Sql {
  const steps = stepNumbers(query.series.length)
  // the times of unordered steps are sorted, so a time may belong to another step
  if (order === 'unordered') return sql`found.ms in (${sql.join(steps.map(ofChosen))})`
  const taken = steps.map((step) => sql`(found.${isStep(step)} and found.ms = ${ofChosen(step)})`)
  return sql`(${sql.join(taken, sql` or `)})`
}

const ofChosen = (step: number): Sql => sql`chosen.${time(step)}`

const viewOf = ({ query }: Funnel) => query.funnelsFilter?.funnelVizType ?? 'steps'

/** A time to convert ignores the breakdown. */
function selectAttempts(table: EventTable, funnel: Funnel): Sql {
  if (viewOf(funnel) === 'time_to_convert') return sql`attempts`
  return viewOf(funnel) === 'trends' ? selectBegun(table, funnel.range) : sql`placed`
}

function chooseAttempts(funnel: Funnel, point: FunnelPoint): Sql[] {
  switch (viewOf(funnel)) {
    case 'time_to_convert':
      return chooseDuration(funnel, point)
    case 'trends':
      return chooseEntrance(funnel, point)
    default:
      return [chooseStep(funnel, point)]
  }
}

/** Chooses who took a time to convert, in whole seconds as the bins of the result. */
function chooseDuration({ stepRange }: Funnel, point: FunnelPoint): Sql[] {
  refuseField(point, 'funnelStep', 'A time to convert has no steps. Remove it.')
  refuseField(point, 'funnelStepBreakdown', 'A time to convert has no breakdown. Remove it.')
  refuseEntrance(point)
  const { funnelTimeFrom: from, funnelTimeTo: to, attr } = point
  if (from === null || from === undefined) throw required(`${attr}__funnelTimeFrom`)
  if (to !== null && to !== undefined && to <= from) {
    throw invalid(`${attr}__funnelTimeTo`, 'Enter more seconds than funnelTimeFrom.')
  }
  const duration = sql`(${time(stepRange.to)} - ${time(stepRange.from)})`
  return [
    sql`${duration} >= ${sql.lit(from * 1000)}`,
    ...(to ? [sql`${duration} < ${sql.lit(to * 1000)}`] : []),
  ]
}

/** Chooses who entered in an interval and came to the end, or did not. */
function chooseEntrance({ range, stepRange }: Funnel, point: FunnelPoint): Sql[] {
  refuseField(point, 'funnelStep', 'A funnel over time has no steps. Remove it.')
  refuseDuration(point)
  const attr = `${point.attr}__funnelTrendsEntrancePeriodStart`
  const start = point.funnelTrendsEntrancePeriodStart
  if (!start) throw required(attr)
  const hasEnded = sql`${time(stepRange.to)} is not null`
  return [
    sql`bucket = ${sql.lit(findInterval(range, start, attr))}`,
    ...(point.funnelTrendsDropOff
      ? [sql`${time(stepRange.from)} is not null`, sql`not ${hasEnded}`]
      : [hasEnded]),
  ]
}

function chooseStep({ query }: Funnel, point: FunnelPoint): Sql {
  const { funnelStep, attr } = point
  refuseEntrance(point)
  refuseDuration(point)
  const at = `${attr}__funnelStep`
  if (funnelStep === null || funnelStep === undefined) {
    throw required(at)
  }
  const step = Math.abs(funnelStep)
  if (step < 1 || step > query.series.length) throw invalid(at, 'The funnel has no such step.')
  if (funnelStep > 0) return sql`${time(step)} is not null`
  if (step === 1) throw invalid(at, 'Nobody drops off before the first step.')
  return sql`(${time(step - 1)} is not null and ${time(step)} is null)`
}

function refuseEntrance(point: FunnelPoint): void {
  const reason = 'Only a funnel over time has entrance periods. Remove it.'
  refuseField(point, 'funnelTrendsDropOff', reason)
  refuseField(point, 'funnelTrendsEntrancePeriodStart', reason)
}

function refuseDuration(point: FunnelPoint): void {
  const reason = 'Only a time to convert has durations. Remove it.'
  refuseField(point, 'funnelTimeFrom', reason)
  refuseField(point, 'funnelTimeTo', reason)
}

function refuseField(point: FunnelPoint, field: keyof FunnelPoint, reason: string): void {
  if (hasValue(point[field])) throw invalid(`${point.attr}__${field}`, reason)
}

/** False is as if the field were absent. */
const hasValue = (value: unknown): boolean => Boolean(value) || value === 0

function chooseValue({ breakdown }: Funnel, { funnelStepBreakdown, attr }: FunnelPoint): Sql[] {
  if (funnelStepBreakdown === null || funnelStepBreakdown === undefined) return []
  if (!breakdown) throw invalid(`${attr}__funnelStepBreakdown`, 'The query has no breakdown.')
  const at = `${attr}__funnelStepBreakdown`
  return [sql`called = ${requireBreakdownText(breakdown, funnelStepBreakdown, at)}::text`]
}
