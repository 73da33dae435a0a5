import { sql } from 'kysely'
import { isObject, type JsonObject } from '#model/json.ts'
import type { CommonFields } from '#model/query-kinds/common.schema.ts'
import { invalid, required } from '#server/errors.ts'
import type { Context, PlanRun } from './plan.ts'

/** A field that names a type of groups by its index, and whether the fields beside it need one. */
interface IndexField {
  readonly name: string
  needs?(beside: JsonObject): boolean
  readonly hint?: string
}

const FIELDS: readonly IndexField[] = [
  {
    name: 'group_type_index',
    needs: ({ type, key, property }) => type === 'group' && (key ?? property) !== undefined,
    hint: '"type": "group"',
  },
  {
    name: 'breakdown_group_type_index',
    needs: ({ breakdown_type, breakdown }) => breakdown_type === 'group' && Boolean(breakdown),
    hint: '"breakdown_type": "group"',
  },
  {
    name: 'math_group_type_index',
    needs: ({ math }) => math === 'unique_group',
    hint: '"math": "unique_group"',
  },
  { name: 'aggregation_group_type_index' },
]

interface NamedIndex {
  readonly index: number
  readonly attr: string
}

/** Refuses filters that name a type of groups which the project does not have, or name none where they have to. */
export const requireGroupTypesIn = (run: PlanRun, filters: unknown, attr: string): Promise<void> =>
  requireKnown(run, indexesIn(filters, attr))

/** Refuses a query that names a type of groups which the project does not have, or names none where it has to. */
export function requireGroupTypes(
  run: PlanRun,
  query: object & CommonFields,
  context: Context,
): Promise<void> {
  const named = [
    ...indexesIn(query, context.attr),
    ...(query.filterTestAccounts
      ? indexesIn(context.testAccountFilters, 'test_account_filters')
      : []),
  ]
  return requireKnown(run, named)
}

async function requireKnown(
  { store, projectId }: PlanRun,
  named: readonly NamedIndex[],
): Promise<void> {
  if (named.length === 0) return
  const types = await store.query(projectId, {
    properties: [],
    toSql: (table) => sql`select t.type_index from ${table.groupTypes} t`,
  })
  const known = new Set(types.map(({ type_index }) => type_index))
  for (const { index, attr } of named) {
    if (!known.has(index)) {
      throw invalid(attr, `Group type ${index} does not exist.`, 'does_not_exist')
    }
  }
}

function indexesIn(value: unknown, attr: string): NamedIndex[] {
  if (Array.isArray(value)) {
    return value.flatMap((each, at) => indexesIn(each, `${attr}__${at}`))
  }
  if (!isObject(value)) return []
  const own = FIELDS.flatMap((field) => toIndex(field, value, attr))
  const inner = Object.entries(value).flatMap(([key, each]) => indexesIn(each, `${attr}__${key}`))
  return [...own, ...inner]
}

function toIndex({ name, needs, hint }: IndexField, value: JsonObject, attr: string): NamedIndex[] {
  const index = (value[name] ?? undefined) as number | undefined
  const isNeeded = needs?.(value) ?? index !== undefined
  const at = `${attr}__${name}`
  if (index === undefined && isNeeded) throw required(at)
  if (index !== undefined && !isNeeded) throw invalid(at, `"${name}" needs ${hint}.`)
  return index === undefined ? [] : [{ index, attr: at }]
}
