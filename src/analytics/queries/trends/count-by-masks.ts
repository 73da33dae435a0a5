import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { mapInTurns } from '#server/turns.ts'
import { toBucketIndex } from '../bucket-index.ts'
import { inParts, toParts } from '../counted.ts'
import { type TimeRange, toSeconds } from '../dates.ts'
import { canUseMasks, listMaskNames, maskColumns, sharesBit, toMasks } from '../interval-masks.ts'
import { toNumber } from '../plan.ts'
import { mathOf } from './aggregation.ts'
import { type RollingWindow, rollingDays, toRollingWindow } from './rolling-window.ts'
import { selectSeriesEvents } from './select-events.ts'
import { type Series, type Statement, type Trend, toZeros } from './trend.ts'

/** Series that count the persons of the same events, at least one of them in a rolling window. */
type Members = readonly [Series, ...Series[]]

/**
 * Chooses the series that a statement can count together: active persons, and persons by interval if the intervals are
 * the points of the window. `alike` count the same events. Returns none if the points are not days, because a window of
 * hours has too many of them for a short range, or if there are no or too many days.
 */
export function chooseMembers(trend: Trend, alike: readonly Series[]): Members | undefined {
  const rolling = alike.filter((series) => rollingDays(trend, series))
  if (rolling.length === 0) return undefined
  const windows = trend.periods.map((range) => toLongestWindow(trend, rolling, range))
  if (!windows.every(canKeepDays)) return undefined
  const areAligned = windows.every((window, period) =>
    isAligned(window, trend.periods[period] as TimeRange),
  )
  const members = alike.filter(
    (series) => rolling.includes(series) || (areAligned && mathOf(series.node) === 'dau'),
  )
  return members as unknown as Members
}

const canKeepDays = (window: RollingWindow): boolean =>
  window.range.interval === 'day' && window.ends.length > 0 && canUseMasks(countPoints(window))

/**
 * Counts the persons of a period in every interval of each series. Keeps the points at which a person was active as
 * bits: a person counts if the window of an interval has one of them. Grouping by person and point, and looking for the
 * next point of each person, took 1.7 times as long for 5 million page views.
 */
export function countByMasks(
  trend: Trend,
  members: Members,
  period: number,
  range: TimeRange,
): Statement {
  const window = toLongestWindow(trend, members, range)
  const size = countPoints(window)
  return {
    toSql(table) {
      const rows = members.flatMap((series) =>
        listWindows(trend, series, window).map(
          (points, bucket) =>
            sql`(${sql.lit(series.index)}, ${sql.lit(bucket)}, ${sql.join(toMasks(size, points))})`,
        ),
      )
      const masks = listMaskNames('window', size).map((name) => sql.ref(name))
      return sql`select series, bucket, sum(persons)::double precision as persons
        from (${groupPersons(table, trend, members[0], window)}) alike
        cross join (values ${sql.join(rows)}) windows (series, bucket, ${sql.join(masks)})
        where ${sharesBit('active', 'window', size)} group by series, bucket`
    },
    toLines: (rows) =>
      mapInTurns(members, ({ index }) => {
        const data = toZeros(trend, range)
        for (const { series, bucket, persons } of rows) {
          if (series === index) data[bucket as number] = toNumber(persons)
        }
        return { series: index, period, value: undefined, place: 1, data }
      }),
  }
}

/** Selects the number of persons who were active at the same points. */
function groupPersons(table: EventTable, trend: Trend, series: Series, window: RollingWindow): Sql {
  const size = countPoints(window)
  const { rows, where } = selectSeriesEvents(table, trend, series, window.range)
  const names = sql.join(listMaskNames('active', size).map((name) => sql.ref(name)))
  return inParts(
    toParts(table, undefined),
    (isInPart) => sql`select ${names}, count(*) as persons from (
      select person, ${sql.join(maskColumns('active', size))} from (
        select e.person as person, ${toBucketIndex(table, window.range)} as bucket
        from ${rows} e where ${where} and ${isInPart} ${table.strategy.fence}
      ) visits group by person
    ) persons group by ${names}`,
  )
}

/** Returns the window of the series that looks back farthest. */
function toLongestWindow(
  trend: Trend,
  members: readonly Series[],
  range: TimeRange,
): RollingWindow {
  const days = members.map((series) => rollingDays(trend, series) ?? 0)
  return toRollingWindow(range, Math.max(...days), trend.context)
}

const countPoints = ({ ends }: RollingWindow): number => (ends.at(-1) ?? 0) + 1

/** Tells whether each interval of a range is one point of the window. */
const isAligned = (
  { range: { interval }, length, ends }: RollingWindow,
  range: TimeRange,
): boolean =>
  interval === range.interval &&
  range.buckets[0] !== undefined &&
  range.from === toSeconds(range.buckets[0]) &&
  ends.every((end, bucket) => end === length - 1 + bucket)

/** Lists the points that count in each interval. */
function listWindows(
  trend: Trend,
  series: Series,
  { ends, length, days: longest }: RollingWindow,
): number[][] {
  const days = rollingDays(trend, series)
  const count = days ? (length / longest) * days : 1
  return ends.map((end) => Array.from({ length: count }, (_, before) => end - before))
}
