import { type Static, Type } from 'typebox'
import type { ActionRules } from '../actions.ts'
import {
  choice,
  DateRange,
  Modifiers,
  optional,
  options,
  Properties,
  QUERY_DISPLAY,
} from './common.schema.ts'

/** Replaces `{filters}`, `{filters.dateRange.from}` and `{filters.dateRange.to}` in the text. */
const SqlFilters = options({
  dateRange: optional(DateRange),
  properties: optional(Properties),
  filterTestAccounts: optional(Type.Boolean()),
})
export type SqlFilters = Static<typeof SqlFilters>

/** Replaces `{variables.code_name}` in the text. */
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
    /** Keyed by ID. */
    variables: optional(Type.Record(Type.String(), Variable)),
    modifiers: optional(Modifiers),
  },
  [...QUERY_DISPLAY, 'explain', 'name'],
)
export type HogQLQuery = Static<typeof HogQLQuery> & WithActions

export interface SqlAction extends ActionRules {
  readonly id: number
  readonly name: string
}

/** The actions that the text of a query may name, once they are resolved. */
interface WithActions {
  readonly actions?: readonly SqlAction[]
}
