import { sql } from 'kysely'
import type { FunnelTimes } from '#model/query-results.ts'
import type { EventTable, Sql, StatementRow } from '#server/analytics/event-table.ts'
import { toNumber } from '../plan.ts'
import { cte, type StepRange, stepNumbers, time } from './step-columns.ts'

/** More bars than this are hard to read. */
const MAX_BINS = 60

/** Adds the CTE `durations`: the time each person took between the two steps. */
export const measureDurations = (table: EventTable, { from, to }: StepRange): Sql =>
  cte(
    'durations',
    sql`select duration, ${table.divide(sql`duration`, sql.lit(1000) as Sql)} as seconds
      from (select ${time(to)} - ${time(from)} as duration from attempts) taken
      where duration is not null`,
  )

/** Selects bins of equal width in whole seconds. */
export function selectTimes(table: EventTable, binCount: number | 'auto'): Sql {
  const bins = binCount === 'auto' ? toCubeRoot(sql`persons`) : sql`${sql.lit(binCount)}`
  const width = table.divide(sql`(longest - shortest + ${bins})`, bins)
  return sql`
    select shortest, width, persons, total, bin, count(*) as count
    from (
      select scale.*, ${table.divide(sql`(seconds - shortest)`, sql`width`)} as bin
      from durations cross join (
        select shortest, persons, total, ${width} as width from (
          select min(seconds) as shortest, max(seconds) as longest, count(*) as persons,
            sum(duration)::double precision as total
          from durations
        ) edges
      ) scale
    ) binned
    group by shortest, width, persons, total, bin order by bin`
}

/** Chooses the number of bins as histograms usually do, without fractions, which the databases round differently. */
const toCubeRoot = (count: Sql): Sql => {
  const cases = stepNumbers(MAX_BINS - 1).map(
    (root) => sql`when ${count} <= ${sql.lit(root ** 3)} then ${sql.lit(root)}`,
  )
  return sql`(case ${sql.join(cases, sql` `)} else ${sql.lit(MAX_BINS)} end)`
}

export function toTimes(rows: readonly StatementRow[]): FunnelTimes {
  const [first] = rows
  const last = rows.at(-1)
  if (!first || !last) return { bins: [], average_conversion_time: null }
  const counts = new Map(rows.map(({ bin, count }) => [Number(bin), Number(count)]))
  const bins = stepNumbers(Number(last.bin), 0).map(
    (bin) => [Number(first.shortest) + bin * Number(first.width), counts.get(bin) ?? 0] as const,
  )
  const average = Number(first.total) / Number(first.persons) / 1000
  return { bins, average_conversion_time: toNumber(average) }
}
