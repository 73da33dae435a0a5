import { sql } from 'kysely'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import { isActionsNode, toEventsNodeLabel } from '#model/query-kinds/events.ts'
import type { WebGoalsQuery } from '#model/query-kinds/web-goals.schema.ts'
import type { TableResult } from '#model/query-results.ts'
import type { NowAndBefore } from '#model/web-figures.ts'
import type { EventTable, Sql, StatementRow } from '#server/analytics/event-table.ts'
import { isInRange, type TimeRange } from '../dates.ts'
import { resolvePeriods } from '../periods.ts'
import { type Context, type Plan, toNumber } from '../plan.ts'
import { type Goals, isOfGoal, parseGoals, requireGoals, selectVisitorNumbers } from './goals.ts'

const DEFAULT_LIMIT = 5

/** Counts the visitors of each period, those who did each goal, and how often: one statement for each period. */
export function compileWebGoalsQuery(query: WebGoalsQuery, context: Context): Plan<TableResult> {
  const goals = parseGoals(query, context)
  return {
    ...requireGoals(goals),
    statements: resolvePeriods(query, context).map(
      (range) => (table: EventTable) =>
        sql`
        with visitors as materialized (${selectVisitorNumbers(table, goals, range)})
        select null::bigint as goal, null::text as name, count(*)::bigint as persons, 0::bigint as times from visitors
        union all ${query.goals ? countGiven(table, goals, query.goals, range) : countNamed(table, range)}`,
    ),
    toResult: async ([now = [], before]) => {
      const all = query.goals ? nameGiven(query.goals) : nameFrequent(now, query.limit)
      return {
        columns: COLUMNS,
        types: COLUMNS.map((name, at) => [name, at === 0 ? 'String' : PAIR] as const),
        results: all.map(({ name, isGoal }) => {
          const [current, previous] = [now, before].map((rows) => rows && readGoal(rows, isGoal))
          const toPair = (key: keyof GoalNumbers): NowAndBefore => [
            current?.[key] ?? null,
            previous?.[key] ?? null,
          ]
          return [name, toPair('persons'), toPair('times'), toPair('rate')]
        }),
        hasMore: false,
      }
    },
  }
}

const COLUMNS = ['action_name', 'converting_users', 'total', 'conversion_rate'].map(
  (name) => `context.columns.${name}`,
)
const PAIR = 'Tuple(Nullable(Float64), Nullable(Float64))'

const countGiven = (
  table: EventTable,
  { context }: Goals,
  nodes: readonly EventsNode[],
  range: TimeRange,
): Sql =>
  sql.join(
    nodes.map(
      (node, index) => sql`select ${sql.lit(index)}::bigint as goal, null::text as name,
        count(distinct e.person)::bigint as persons, count(*)::bigint as times
        from ${table.rows} e where ${isOfGoal(table, node, index, range, context)}`,
    ),
    sql` union all `,
  )

/** Counts the events whose names are the project's own: libraries begin theirs with $. */
const countNamed = (table: EventTable, range: TimeRange): Sql =>
  sql`select 0::bigint as goal, e.event as name, count(distinct e.person)::bigint as persons, count(*)::bigint as times
    from ${table.rows} e where ${isInRange(range)} and e.person in (select visitor from visitors)
      and substring(e.event, 1, 1) <> '$' group by e.event`

interface NamedGoal {
  readonly name: string
  isGoal(row: StatementRow): boolean
}

const nameGiven = (nodes: readonly EventsNode[]): NamedGoal[] =>
  nodes.map((node, index) => ({
    name:
      (isActionsNode(node) ? undefined : node.custom_name || node.event) || toEventsNodeLabel(node),
    isGoal: ({ goal }) => goal !== null && toNumber(goal) === index,
  }))

const nameFrequent = (
  rows: readonly StatementRow[],
  limit: number | null | undefined,
): NamedGoal[] =>
  rows
    .filter(({ name }) => name !== null)
    .toSorted(
      (one, other) =>
        toNumber(other.persons) - toNumber(one.persons) ||
        toNumber(other.times) - toNumber(one.times) ||
        (String(one.name) < String(other.name) ? -1 : 1),
    )
    .slice(0, limit ?? DEFAULT_LIMIT)
    .map(({ name }) => ({ name: String(name), isGoal: (row) => row.name === name }))

interface GoalNumbers {
  readonly persons: number
  readonly times: number
  /** The share of visitors; null without visitors. */
  readonly rate: number | null
}

function readGoal(rows: readonly StatementRow[], isGoal: NamedGoal['isGoal']): GoalNumbers {
  const visitors = toNumber(rows.find(({ goal }) => goal === null)?.persons)
  const row = rows.find(isGoal)
  const persons = toNumber(row?.persons)
  return {
    persons,
    times: toNumber(row?.times),
    rate: visitors === 0 ? null : toNumber(persons / visitors),
  }
}
