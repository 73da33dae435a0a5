import type { TSchema } from 'typebox'
import { FunnelsQuery } from './funnels/schema.ts'
import { LifecycleQuery } from './lifecycle/schema.ts'
import { PathsQuery } from './paths/schema.ts'
import { RetentionQuery } from './retention/schema.ts'
import { SqlQuery } from './sql/schema.ts'
import { StickinessQuery } from './stickiness/schema.ts'
import { TrendsQuery } from './trends/schema.ts'

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
