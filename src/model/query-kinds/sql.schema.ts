import { type Static, Type } from 'typebox'
import {
  choice,
  DateRange,
  Modifiers,
  optional,
  options,
  Properties,
  QUERY_DISPLAY,
} from './common.schema.ts'

/** Stands in the text as `{filters}`, or as `{filters.dateRange.from}` and `.to`. */
const SqlFilters = options({
  dateRange: optional(DateRange),
  properties: optional(Properties),
  filterTestAccounts: optional(Type.Boolean()),
})
export type SqlFilters = Static<typeof SqlFilters>

/** Stands in the text as `{variables.code_name}`. */
const Variable = options(
  {
    code_name: Type.String({ minLength: 1, maxLength: 400 }),
    value: Type.Optional(Type.Unknown()),
    isNull: optional(Type.Boolean()),
  },
  ['variableId'],
)

/** SQL over `events` and `persons`, under the name that clients know it by. */
export const HogQLQuery = options(
  {
    kind: choice(['HogQLQuery']),
    query: Type.String({ minLength: 1, maxLength: 20_000 }),
    filters: optional(SqlFilters),
    /** By id. */
    variables: optional(Type.Record(Type.String(), Variable)),
    modifiers: optional(Modifiers),
  },
  [...QUERY_DISPLAY, 'explain', 'name'],
)
export type HogQLQuery = Static<typeof HogQLQuery>
