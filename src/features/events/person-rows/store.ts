import { sql } from 'kysely'
import { toStoredText } from '#server/analytics/event-row.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { EventTable, Sql, StatementRow } from '#server/analytics/event-table.ts'
import { and } from '#server/analytics/queries/filters.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'

export interface PersonRow {
  readonly number: number
  readonly uuid: string
  readonly createdAt: string
  readonly isIdentified: boolean
  /** False for an ID whose events ask for no profile. */
  readonly hasProfile: boolean
  /** A JSON object as text. */
  readonly properties: string
  readonly distinctIds: readonly string[]
}

/** Limits the distinct IDs read per person, because some clients merge thousands into one by mistake. */
const MAX_IDS = 1000
export const MAX_IDS_IN_LIST = 100

export type PersonSql = (table: EventTable) => Sql

/** The persons that a list shows, and the event properties that its conditions read. */
export interface PersonSelection {
  readonly properties: readonly string[]
  readonly conditions: readonly PersonSql[]
}

/** Lists persons, newest first. Sorts without reading the properties, then reads those of one page. */
export async function listPersonRows(
  store: EventStore,
  projectId: number,
  selection: PersonSelection,
  { limit, offset }: PageRange,
): Promise<Slice<PersonRow>> {
  const page = await queryPersons(
    store,
    projectId,
    selection,
    (from) => sql`select ${number} as number from ${from} ${inOrder({ limit, offset })}`,
  )
  const numbers = page.map((row) => row.number as number)
  const isWhole = numbers.length < limit && (numbers.length > 0 || offset === 0)
  const count = isWhole ? offset + numbers.length : await countPersons(store, projectId, selection)
  return { count, results: await readPersons(store, projectId, numbers, MAX_IDS_IN_LIST) }
}

/** Sorts persons, newest first. */
export const inOrder = ({ limit, offset }: PageRange): Sql =>
  sql`order by p.created_at desc, p.number desc limit ${sql.lit(limit)} offset ${sql.lit(offset)}`

export async function countPersons(
  store: EventStore,
  projectId: number,
  selection: PersonSelection,
): Promise<number> {
  const toSql = (from: Sql) => sql`select count(*) as count from ${from}`
  return Number((await queryPersons(store, projectId, selection, toSql))[0]?.count)
}

/** Runs a statement over the persons `p` of a selection, which it gets as its FROM and WHERE. */
export const queryPersons = (
  store: EventStore,
  projectId: number,
  { properties, conditions }: PersonSelection,
  toSql: (from: Sql) => Sql,
): Promise<StatementRow[]> =>
  store.query(projectId, {
    properties,
    toSql: (table) =>
      toSql(
        sql`${table.persons} p where ${and(conditions.map((toCondition) => toCondition(table)))}`,
      ),
  })

export async function findPersonRow(
  store: EventStore,
  projectId: number,
  condition: PersonSql,
): Promise<PersonRow | undefined> {
  const [row] = await store.query(projectId, {
    properties: [],
    toSql: (table) =>
      sql`select ${number} as number from ${table.persons} p where ${condition(table)} limit 1`,
  })
  if (!row) return undefined
  return (await readPersons(store, projectId, [row.number as number], MAX_IDS))[0]
}

/** Finds the persons with a profile of distinct IDs, by the ID as it was given. */
export async function findPersonsByDistinctId(
  store: EventStore,
  projectId: number,
  distinctIds: readonly string[],
): Promise<ReadonlyMap<string, PersonRow>> {
  const wanted = sql.join(distinctIds.map((id) => sql`${toStoredText(id)}::text`))
  const owners = await store.query(projectId, {
    properties: [],
    toSql: (table) =>
      sql`select i.distinct_id, i.person::double precision as person
        from ${table.personIds} i where i.distinct_id in (${wanted})`,
  })
  const numbers = new Map(owners.map((row) => [row.distinct_id, row.person as number]))
  const rows = await readPersons(store, projectId, [...new Set(numbers.values())], MAX_IDS_IN_LIST)
  const persons = new Map(rows.filter((row) => row.hasProfile).map((row) => [row.number, row]))
  return new Map(
    distinctIds.flatMap((id) => {
      const person = persons.get(numbers.get(toStoredText(id)) ?? Number.NaN)
      return person ? [[id, person]] : []
    }),
  )
}

/** Finds persons by their UUIDs, including those without a profile. */
export async function findPersonsByUuid(
  store: EventStore,
  projectId: number,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, PersonRow>> {
  const wanted = sql.join(uuids.map((uuid) => sql`${uuid}::uuid`))
  const found = await store.query(projectId, {
    properties: [],
    toSql: (table) =>
      sql`select ${number} as number from ${table.allPersons} p where p.uuid in (${wanted})`,
  })
  const numbers = found.map((row) => row.number as number)
  const rows = await readPersons(store, projectId, numbers, MAX_IDS_IN_LIST)
  return new Map(rows.map((row) => [row.uuid, row]))
}

/** Reads persons by their numbers, in this order, including those without a profile. */
export async function readPersons(
  store: EventStore,
  projectId: number,
  numbers: readonly number[],
  maxIds: number,
): Promise<PersonRow[]> {
  if (numbers.length === 0) return []
  const wanted = sql.join(numbers.map((each) => sql.lit(each)))
  const [rows, ids] = await Promise.all([
    store.query(projectId, {
      properties: [],
      toSql: (table) =>
        sql`select ${number} as number, p.uuid::text as uuid, p.is_identified, p.has_profile, p.properties::text as properties,
          (extract(epoch from p.created_at) * 1000)::double precision as created_at
          from ${table.allPersons} p where p.number in (${wanted})`,
    }),
    store.query(projectId, {
      properties: [],
      toSql: (table) => {
        const sorted = sql`order by ${table.sortable(sql`i.distinct_id`)}`
        return sql`select person, distinct_id from (
          select i.person::double precision as person, i.distinct_id,
            row_number() over (partition by i.person ${sorted}) as position
          from ${table.personIds} i where i.person in (${wanted})
        ) ids where position <= ${sql.lit(maxIds)} order by position`
      },
    }),
  ])
  const byNumber = new Map(rows.map((row) => [row.number, row]))
  const idsByPerson = Map.groupBy(ids, ({ person }) => person)
  return numbers.flatMap((each) => {
    const row = byNumber.get(each)
    return row ? [toPersonRow(row, idsByPerson.get(each) ?? [])] : [] // deleted in the meantime
  })
}

export const number = sql`p.number::double precision`

const toPersonRow = (row: StatementRow, ids: readonly StatementRow[]): PersonRow => ({
  number: row.number as number,
  uuid: row.uuid as string,
  createdAt: new Date(Math.round(row.created_at as number)).toISOString(),
  isIdentified: row.is_identified as boolean,
  hasProfile: row.has_profile as boolean,
  properties: row.properties as string,
  distinctIds: ids
    .map(({ distinct_id }) => distinct_id as string)
    .toSorted((a, b) => Number(isGenerated(a)) - Number(isGenerated(b))),
})

/** Tells whether an ID is one that clients generate for visitors who have not signed in. */
const isGenerated = (id: string): boolean => /^[0-9a-f-]{30,}$/i.test(id)

export const hasNumber =
  (number: number): PersonSql =>
  () =>
    sql`p.number = ${sql.lit(number)}`

export const hasUuid =
  (uuid: string): PersonSql =>
  () =>
    sql`p.uuid = ${uuid}::uuid`

export const hasDistinctId =
  (distinctId: string): PersonSql =>
  (table) =>
    sql`p.number in (
      select i.person from ${table.personIds} i where i.distinct_id = ${toStoredText(distinctId)}::text
    )`
