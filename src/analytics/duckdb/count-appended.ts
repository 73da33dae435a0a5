import { sql } from 'kysely'
import type { Appended } from '../event-store.ts'
import type { Sql } from '../event-table.ts'

/** Keeps statements short: an import among many other writers has a range for each of its appends. */
const RANGES_PER_STATEMENT = 200

/** Returns statements that together count the appended events that are still there. */
export function toCountStatements(appended: readonly Appended[]): ((where: Sql) => Sql)[] {
  const ranges = mergeAdjacent(appended).map(
    ({ first, count }) => sql`seq between ${sql.lit(first)} and ${sql.lit(first + count - 1)}`,
  )
  const starts = ranges.keys().filter((index) => index % RANGES_PER_STATEMENT === 0)
  return [...starts].map((start) => (where) => {
    const some = sql.join(ranges.slice(start, start + RANGES_PER_STATEMENT), sql` or `)
    return sql`select count(*) as count from events where ${where} and (${some})`
  })
}

function mergeAdjacent(appended: readonly Appended[]): Appended[] {
  const merged: Appended[] = []
  for (const { first, count } of appended) {
    const last = merged.at(-1)
    if (last && last.first + last.count === first) {
      merged.splice(-1, 1, { first: last.first, count: last.count + count })
    } else if (count > 0) merged.push({ first, count })
  }
  return merged
}
