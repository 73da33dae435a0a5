import { optional, QUERY_DISPLAY, shared } from './common.schema.ts'
import { CompareFilter } from './trends.schema.ts'

/** Fields of the kinds of web analytics. The properties filter visits. */
export const web = { ...shared, compareFilter: optional(CompareFilter) }

/** Settings of upstream that change no result here, because nothing is precomputed, sampled or cleaned. */
export const WEB_DISPLAY = [
  ...QUERY_DISPLAY,
  'aggregation_group_type_index',
  'includeDataWarnings',
  'useSessionsTable',
]
