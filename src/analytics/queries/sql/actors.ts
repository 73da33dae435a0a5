import { sql } from 'kysely'
import type { HogQLQuery } from '#model/query-kinds/sql.schema.ts'
import type { ActorSet, Point } from '../actors.ts'
import { toRequired } from '../columns.ts'
import type { Context } from '../plan.ts'
import { startSql, toSqlOptions } from './compile.ts'
import { refuse } from './errors.ts'
import { compileQuery } from './query.ts'

/** The columns that hold the UUIDs of persons. */
const PERSON_COLUMNS = ['person_id', 'actor_id']

/** Selects the persons whose UUIDs a query returns, with the number of their rows. Only a limit of its own applies. */
export async function selectHogQLQueryActors(
  query: HogQLQuery,
  _point: Point,
  context: Context,
): Promise<ActorSet> {
  const { node, context: compiling } = await startSql(query.query, toSqlOptions(query, context))
  const compiled = compileQuery(node, { context: compiling, ctes: new Map() })
  const index = compiled.columns.findIndex(({ name }) =>
    PERSON_COLUMNS.includes(name.toLowerCase()),
  )
  if (index < 0) throw refuse('A column must be called person_id or actor_id.')
  if (compiled.columns[index]?.type !== 'String')
    throw refuse('person_id must be the UUID of a person.')
  const uuid = sql.raw(`c${index + 1}`)
  return {
    ...toRequired(compiling.columns),
    effort: compiled.size.effort,
    toSql: (table) => sql`select p.number as person, found.events from (
        select ${uuid} as uuid, count(*) as events from (${compiled.render(table)}) given group by 1
      ) found join ${table.allPersons} p on p.uuid::text = found.uuid`,
  }
}
