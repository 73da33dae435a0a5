import { sql } from 'kysely'
import type { Sql } from '../event-table.ts'

/** Joins the rows that `select` finds in each part: see `EventTable.parts`. */
export const inParts = (parts: readonly Sql[], select: (isInPart: Sql) => Sql): Sql =>
  sql.join(parts.map(select), sql` union all `)
