import { sql } from 'kysely'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import type { FunnelResult, FunnelStep } from '#model/query-results.ts'
import type { Sql, StatementRow } from '#server/analytics/event-table.ts'
import { mapInTurns } from '#server/turns.ts'
import { type Breakdown, toValueFields } from '../breakdown.ts'
import { toCountedId, toCountedType, toEventName } from '../labels.ts'
import { toNumber } from '../plan.ts'
import { list, stepNumbers, time } from './step-columns.ts'

/** Selects one row per value: the persons at each step, and their times from the previous step. */
export function selectSteps(last: number, hasBreakdown: boolean): Sql {
  const counts = stepNumbers(last).map(
    (step) => sql`count(${time(step)}) as ${sql.raw(`count${step}`)}`,
  )
  const times = stepNumbers(last, 2).flatMap((step) => {
    const taken = sql`(${time(step)} - ${time(step - 1)})`
    return [
      sql`sum(${taken})::double precision as ${sql.raw(`sum${step}`)}`,
      sql`percentile_cont(0.5) within group (order by ${taken}::double precision) as ${sql.raw(`median${step}`)}`,
    ]
  })
  const columns = list([...counts, ...times])
  if (!hasBreakdown) return sql`select ${columns} from placed`
  return sql`select min(called) as value, ${columns} from placed group by place order by place`
}

export async function toSteps(
  series: readonly EventsNode[],
  breakdown: Breakdown | undefined,
  rows: readonly StatementRow[],
): Promise<FunnelResult> {
  const steps = await mapInTurns(rows, (row) => {
    const value = breakdown && toValueFields(breakdown, String(row.value))
    return series.map((node, index) => ({ ...toStep(node, index, row), ...value }))
  })
  return breakdown ? steps : (steps[0] ?? [])
}

function toStep(node: EventsNode, order: number, row: StatementRow): FunnelStep {
  const countAt = (step: number) => Number(row[`count${step}`])
  const count = countAt(order + 1)
  const inSeconds = (milliseconds: unknown) =>
    count === 0 || order === 0 ? null : toNumber(Number(milliseconds) / 1000)
  return {
    action_id: toCountedId(node),
    name: toEventName(node),
    custom_name: node.custom_name ?? null,
    order,
    count,
    type: toCountedType(node),
    average_conversion_time: inSeconds(Number(row[`sum${order + 1}`]) / count),
    median_conversion_time: inSeconds(row[`median${order + 1}`]),
    conversion_rate: rate(count, countAt(1)),
    step_conversion_rate: rate(count, countAt(Math.max(order, 1))),
  }
}

const rate = (count: number, of: number): number => (of === 0 ? 0 : toNumber(count / of))
