import { sql } from 'kysely'
import { expect } from 'vitest'
import { type Point, selectActors } from '#server/analytics/queries/actors.ts'
import type { Context, Plan } from '#server/analytics/queries/plan.ts'
import type { ValidQuery } from '#server/analytics/queries/run-query.ts'
import { isFull } from '../vitest/effort.ts'
import type { Stores } from './queries.ts'

/** A number of a result, how to choose it, and whether it counts persons or their events. */
export interface Cell {
  readonly point: Omit<Point, 'attr'>
  readonly number: number
  readonly counts: 'persons' | 'events'
  /** The query that the number is chosen from; by default that of the result. */
  readonly query?: ValidQuery
}

/** With more than 40, the statement would take longer to plan than to run. */
const MAX_CELLS = isFull ? 40 : 8

/** Compares numbers of a result with the persons behind them, on both stores. Prefers numbers that are not 0. */
export async function expectActors(
  stores: Stores,
  projectId: number,
  { query, context, cells }: { query: ValidQuery; context: Context; cells: readonly Cell[] },
): Promise<void> {
  const chosen = [
    ...pickEvenly(cells.filter(({ number }) => number !== 0)),
    ...pickEvenly(cells.filter(({ number }) => number === 0)),
  ].slice(0, MAX_CELLS)
  if (chosen.length === 0) return
  const rows = await stores.run(await toPlan(query, context, chosen), projectId)
  const found = chosen.map((cell, index) => {
    const own = rows.filter((row) => row.cell === index)
    expect(new Set(own.map(({ uuid }) => uuid)).size).toBe(own.length)
    const events = own.reduce((sum, row) => sum + row.events, 0)
    return { ...cell, number: cell.counts === 'persons' ? own.length : events }
  })
  expect(found).toEqual(chosen)
}

/** Picks from the whole list, not only its beginning. */
const pickEvenly = (cells: readonly Cell[]): Cell[] => {
  const step = Math.max(1, Math.ceil(cells.length / MAX_CELLS))
  return cells.filter((_, index) => index % step === 0)
}

interface ActorRow {
  readonly cell: number
  readonly uuid: string
  readonly events: number
}

async function toPlan(
  query: ValidQuery,
  context: Context,
  cells: readonly Cell[],
): Promise<Plan<readonly ActorRow[]>> {
  const sets = await Promise.all(
    cells.map((cell) => selectActors(cell.query ?? query, { ...cell.point, attr: '' }, context)),
  )
  return {
    ...(sets[0] as (typeof sets)[number]),
    statements: [
      (table) => {
        const selects = sets.map(
          ({ toSql }, cell) => sql`select ${sql.lit(cell)}::double precision as cell,
            p.uuid::text as uuid, a.events::double precision as events
            from (${toSql(table)}) a join ${table.allPersons} p on p.number = a.person`,
        )
        return sql`${sql.join(selects, sql` union all `)} order by 1, 2`
      },
    ],
    toResult: async ([rows = []]) => rows as readonly unknown[] as readonly ActorRow[],
  }
}
