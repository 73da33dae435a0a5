import type { TSchema } from 'typebox'
import { FunnelsQuery } from '#model/query-kinds/funnels.schema.ts'
import { LifecycleQuery } from '#model/query-kinds/lifecycle.schema.ts'
import { PathsQuery } from '#model/query-kinds/paths.schema.ts'
import { RetentionQuery } from '#model/query-kinds/retention.schema.ts'
import { SqlQuery } from '#model/query-kinds/sql.schema.ts'
import { StickinessQuery } from '#model/query-kinds/stickiness.schema.ts'
import { TrendsQuery } from '#model/query-kinds/trends.schema.ts'

/** What each kind of query looks like. Apart from what compiles them, which is loaded when something is asked. */
export const SCHEMAS: Readonly<Record<string, TSchema>> = {
  TrendsQuery,
  FunnelsQuery,
  RetentionQuery,
  LifecycleQuery,
  StickinessQuery,
  PathsQuery,
  HogQLQuery: SqlQuery,
}
