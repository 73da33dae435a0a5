import type { TSchema } from 'typebox'
import { planFunnels } from './funnels/plan.ts'
import { FunnelsQuery } from './funnels/schema.ts'
import { planLifecycle } from './lifecycle/plan.ts'
import { LifecycleQuery } from './lifecycle/schema.ts'
import { planPaths } from './paths/plan.ts'
import { PathsQuery } from './paths/schema.ts'
import type { Context, Plan } from './plan.ts'
import { planRetention } from './retention/plan.ts'
import { RetentionQuery } from './retention/schema.ts'
import { SqlQuery } from './sql/schema.ts'
import { planStickiness } from './stickiness/plan.ts'
import { StickinessQuery } from './stickiness/schema.ts'
import { planTrends } from './trends/plan.ts'
import { TrendsQuery } from './trends/schema.ts'

interface Kind {
  readonly schema: TSchema
  /** Only of what its schema has found right. */
  plan(query: never, context: Context): Plan
}

/** Every kind of query that is compiled to statements. */
const COMPILED = {
  TrendsQuery: { schema: TrendsQuery, plan: planTrends },
  FunnelsQuery: { schema: FunnelsQuery, plan: planFunnels },
  RetentionQuery: { schema: RetentionQuery, plan: planRetention },
  LifecycleQuery: { schema: LifecycleQuery, plan: planLifecycle },
  StickinessQuery: { schema: StickinessQuery, plan: planStickiness },
  PathsQuery: { schema: PathsQuery, plan: planPaths },
} satisfies Record<string, Kind>

export const findKind = (name: string): Kind | undefined =>
  Object.hasOwn(COMPILED, name) ? COMPILED[name as keyof typeof COMPILED] : undefined

export const SCHEMAS: Readonly<Record<string, TSchema>> = {
  ...Object.fromEntries(Object.entries(COMPILED).map(([name, { schema }]) => [name, schema])),
  HogQLQuery: SqlQuery,
}
