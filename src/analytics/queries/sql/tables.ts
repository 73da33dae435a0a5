import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { GROUP_INDEXES } from '#server/analytics/groups/group-types.ts'
import {
  type FieldName,
  propertiesOf,
  readsPerson,
  SESSION_COLUMNS,
  SESSION_ID,
  selectSessions,
} from '#server/analytics/sessions/select-sessions.ts'
import type { CohortSets } from '../cohort-definitions.ts'
import { type ColumnRef, eventProperty, groupKeyColumn } from '../columns.ts'
import { selectCohortPeople, sizeOfCohortPeople } from './cohorts.ts'
import { refuse } from './errors.ts'
import {
  IMPORT_CONFIG_COLUMNS,
  IMPORT_RUN_COLUMNS,
  type ImportRows,
  selectGiven,
  toGivenTable,
} from './imports.ts'
import { FILTERS } from './placeholders.ts'
import type { Column, CompileContext, From, Relation } from './scope.ts'
import { ONE, type PlanSize } from './size.ts'
import { expression, type Type } from './types.ts'

/** Queries read no longer values of properties; other columns are shorter. */
const LONGEST_STORED = 1024

type TableContext = Pick<CompileContext, 'cohorts' | 'imports'>

/** A table that a query can read. Its rows are those of one project. */
interface StoredTable {
  /** The source of the FROM, with the aliases that the columns select from. `used` names the columns that are read. */
  source(table: EventTable, context: TableContext, used: readonly string[]): Sql
  /** The size of the source, if it is not a table. */
  readonly size?: (cohorts: CohortSets) => PlanSize
  /** The columns that the store must provide for the source. */
  readonly needs?: readonly ColumnRef[]
  readonly columns: readonly ColumnSpec[]
  /** Columns that `*` leaves out. */
  readonly moreColumns?: readonly ColumnSpec[]
  property?(key: string): ColumnSpec
  personProperty?(key: string): ColumnSpec
  /** Whether its rows are events, which `{filters}` and actions match. */
  readonly isOfEvents?: true
}

interface ColumnSpec {
  readonly name: string
  readonly type: Type
  select(table: EventTable, context: TableContext): Sql
  /** The columns that the store must provide. */
  readonly needs?: readonly ColumnRef[]
  /** The size of what it selects, if that is more than a column. */
  readonly size?: PlanSize
}

const column = (
  name: string,
  type: Type,
  select: ColumnSpec['select'],
  needs: readonly ColumnRef[] = [],
): ColumnSpec => ({ name, type, select, needs })

const PERSON: ColumnRef = { key: 'person_id', type: 'event_metadata' }

const EVENTS: StoredTable = {
  source: (table) => sql`${table.rows} e`,
  columns: [
    column('uuid', 'String', () => sql`e.uuid::text`),
    column('event', 'String', () => sql`e.event`),
    column('distinct_id', 'String', () => sql`e.distinct_id`),
    column('person_id', 'String', (table) => table.personUuid, [PERSON]),
    column('timestamp', 'DateTime', () => sql`e.timestamp`),
  ],
  moreColumns: GROUP_INDEXES.map((index) => {
    const ref = groupKeyColumn(index)
    return column(ref.key, 'String', (table) => table.groupKey(index), [ref])
  }),
  property: (key) =>
    column(key, 'String', (table) => table.property(key), [{ key, type: 'event' }]),
  personProperty: (key) =>
    column(key, 'String', (table) => table.personProperty(key), [{ key, type: 'person' }]),
  isOfEvents: true,
}

const PERSONS: StoredTable = {
  source: (table) => sql`${table.persons} p`,
  columns: [
    column('id', 'String', () => sql`p.uuid::text`),
    column('created_at', 'DateTime', () => sql`p.created_at`),
    column('is_identified', 'Boolean', () => sql`p.is_identified`),
  ],
  property: (key) => column(key, 'String', (table) => table.profileProperty(key)),
}

const PERSON_IDS: StoredTable = {
  source: (table) => sql`${table.personIds} i join ${table.persons} p on p.number = i.person`,
  columns: [
    column('distinct_id', 'String', () => sql`i.distinct_id`),
    column('person_id', 'String', () => sql`p.uuid::text`),
  ],
}

const GROUPS: StoredTable = {
  source: (table) => sql`${table.groups} g`,
  columns: [
    column('index', 'Integer', () => sql`g.type_index`),
    column('key', 'String', () => sql`g.key`),
    column('created_at', 'DateTime', () => sql`g.created_at`),
    column('updated_at', 'DateTime', () => sql`g.updated_at`),
  ],
  property: (key) => column(key, 'String', (table) => table.groupProfileProperty(key)),
}

const COHORT_PEOPLE: StoredTable = {
  source: (table, { cohorts }) => sql`(${selectCohortPeople(table, cohorts)}) m`,
  size: sizeOfCohortPeople,
  columns: [
    column('person_id', 'String', () => sql`m.uuid`),
    column('cohort_id', 'Integer', () => sql`m.cohort_id`),
  ],
}

/** Planning takes as long as that of three tables with a window, however many columns are read. */
const SESSIONS_SIZE: PlanSize = { weight: 100, effort: 100 }

const fieldsOf = (names: readonly string[]): FieldName[] => [
  ...new Set(
    SESSION_COLUMNS.filter(({ name }) => names.includes(name)).flatMap(({ fields }) => fields),
  ),
]

const SESSIONS: StoredTable = {
  source: (table, _, used) => sql`(${selectSessions(table, fieldsOf(used))}) s`,
  size: () => SESSIONS_SIZE,
  needs: [eventProperty(SESSION_ID)],
  columns: SESSION_COLUMNS.map(({ name, type, fields, select }) =>
    column(name, type, select ?? (() => sql`s.${sql.raw(fields[0] as string)}`), [
      ...propertiesOf(fields).map(eventProperty),
      ...(readsPerson(fields) ? [PERSON] : []),
    ]),
  ),
}

/** Defines a table whose rows the statement brings along. */
function givenTable(columns: Readonly<Record<string, Type>>, part: keyof ImportRows): StoredTable {
  const givenOf = memoize((imports: ImportRows) => toGivenTable(columns, imports[part]))
  return {
    source: (_, { imports }) => givenOf(requireImports(imports)).source,
    columns: Object.entries(columns).map(([name, type], index) =>
      column(name, type, (_, { imports }) => {
        const { separator } = givenOf(requireImports(imports))
        return selectGiven(sql`${separator}::text`, index + 1, type)
      }),
    ),
  }
}

/** Remembers the table of the rows of one statement. */
function memoize<Key extends object, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => {
    const value = known.get(key) ?? read(key)
    known.set(key, value)
    return value
  }
}

function requireImports(imports: ImportRows | undefined): ImportRows {
  if (imports) return imports
  throw refuse('The tables import_runs and import_configs are not available here.')
}

const TABLES: ReadonlyMap<string, StoredTable> = new Map([
  ['events', EVENTS],
  ['persons', PERSONS],
  ['person_distinct_ids', PERSON_IDS],
  ['groups', GROUPS],
  ['cohort_people', COHORT_PEOPLE],
  ['sessions', SESSIONS],
  ['import_configs', givenTable(IMPORT_CONFIG_COLUMNS, 'configs')],
  ['import_runs', givenTable(IMPORT_RUN_COLUMNS, 'runs')],
])

export const findTable = (name: string): StoredTable | undefined => TABLES.get(name.toLowerCase())

/** The columns of events that tell whether `{filters}` and the actions of the text match. */
const toConditions = ({ filters, actions }: CompileContext): ColumnSpec[] => [
  column(FILTERS, 'Boolean', filters.matches, filters.columns),
  ...actions.map(({ column: name, matches, columns, size }) => ({
    ...column(name, 'Boolean', matches, columns),
    size,
  })),
]

/** Reads a table under the name that the query gives it. Only the columns that are used are selected. */
export function fromTable(stored: StoredTable, name: string, context: CompileContext): From {
  const alias = context.nextName('t')
  const used = new Map<string, { inner: Sql; select: ColumnSpec['select'] }>()
  const toColumn = ({ name, type, select, needs = [], size }: ColumnSpec, id: string): Column => ({
    name,
    type,
    id: `${alias}.${id}`,
    use() {
      context.columns.push(...needs)
      const known = used.get(id) ?? { inner: sql.raw(context.nextName('c')), select }
      used.set(id, known)
      const value = expression(type, [], () => sql`${sql.raw(alias)}.${known.inner}`)
      return { ...value, ...size, ...(type === 'String' && { longest: LONGEST_STORED }) }
    },
  })
  const { property, personProperty, isOfEvents, moreColumns = [] } = stored
  context.columns.push(...(stored.needs ?? []))
  const conditions = isOfEvents ? toConditions(context) : []
  const relation: Relation = {
    name,
    columns: stored.columns.map((each) => toColumn(each, each.name)),
    property: property && ((key) => toColumn(property(key), `properties.${key}`)),
    personProperty:
      personProperty && ((key) => toColumn(personProperty(key), `person.properties.${key}`)),
    hidden: [...moreColumns, ...conditions].map((each) => toColumn(each, each.name)),
    merged: new Set(),
  }
  const render = (table: EventTable) => {
    const shown = [...used.values()].map(
      ({ inner, select }) => sql`${select(table, context)} as ${inner}`,
    )
    const list = shown.length > 0 ? sql.join(shown) : sql`1 as one`
    const source = stored.source(table, context, [...used.keys()])
    return sql`(select ${list} from ${source}) ${sql.raw(alias)}`
  }
  return {
    relations: [relation],
    render,
    size: stored.size?.(context.cohorts) ?? ONE,
    tables: 1,
    levels: 1,
    isEvents: stored === EVENTS,
  }
}
