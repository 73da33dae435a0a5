import { sql } from 'kysely'
import type { EventStore } from '#server/analytics/event-store.ts'
import { ALL_ROWS } from '#server/analytics/queries/all-rows.ts'
import { and } from '#server/analytics/queries/filters.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { PersonSearch, SearchedPersons } from './search.ts'
import {
  countPersons,
  inOrder,
  listPersonRows,
  MAX_IDS_IN_LIST,
  number,
  type PersonRow,
  type PersonSql,
  queryPersons,
  readPersons,
} from './store.ts'

/** Searching a million profiles takes seconds, so this many of the newest are searched before the others. */
const NEWEST = 20_000

/** Lists all persons of a selection, or those that its search finds, newest first. */
export const listFoundPersons = (
  store: EventStore,
  projectId: number,
  { search, ...selection }: SearchedPersons,
  range: PageRange,
): Promise<Slice<PersonRow>> =>
  search
    ? searchPersons(store, projectId, { ...selection, search }, range)
    : listPersonRows(store, projectId, selection, range)

/** Stops with a whole e-mail address or ID, or if the newest persons fill the page; then there may be any number more. */
async function searchPersons(
  store: EventStore,
  projectId: number,
  { search, ...selection }: SearchedPersons & { readonly search: PersonSearch },
  range: PageRange,
): Promise<Slice<PersonRow>> {
  const having = (condition: PersonSql) => ({
    ...selection,
    conditions: [...selection.conditions, condition],
  })
  if (search.equals) {
    const found = await listPersonRows(store, projectId, having(search.equals), range)
    if (found.count > 0) return found
  }
  const { limit, offset } = range
  const read = (rows: readonly { readonly number?: unknown }[]) =>
    readPersons(
      store,
      projectId,
      rows.map((row) => row.number as number),
      MAX_IDS_IN_LIST,
    )
  const newest = await listNewest(store, projectId, having(search.containsInNewest), {
    limit: limit + 1,
    offset,
  })
  if (newest.length > limit) {
    return { count: offset + newest.length, results: await read(newest.slice(0, limit)) }
  }
  const all = having(search.contains)
  const rows = await queryPersons(
    store,
    projectId,
    all,
    (
      from,
    ) => sql`select ${number} as number, (count(*) over (${ALL_ROWS}))::double precision as total
      from ${from} ${inOrder(range)}`,
  )
  const isPastEnd = rows.length === 0 && offset > 0
  const count = isPastEnd ? await countPersons(store, projectId, all) : Number(rows[0]?.total ?? 0)
  return { count, results: await read(rows) }
}

/** Lists the numbers of the newest persons, which the conditions know as `newest`. */
const listNewest = (
  store: EventStore,
  projectId: number,
  { properties, conditions }: SearchedPersons,
  range: PageRange,
) =>
  store.query(projectId, {
    properties,
    toSql: (table) => sql`with newest as materialized (
        select * from ${table.persons} p ${inOrder({ limit: NEWEST, offset: 0 })}
      ) select ${number} as number from newest p
      where ${and(conditions.map((toCondition) => toCondition(table)))} ${inOrder(range)}`,
  })
