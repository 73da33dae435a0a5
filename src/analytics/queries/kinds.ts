import { planFunnels } from './funnels/plan.ts'
import { planLifecycle } from './lifecycle/plan.ts'
import { planPaths } from './paths/plan.ts'
import type { Context, Plan } from './plan.ts'
import { planRetention } from './retention/plan.ts'
import { planStickiness } from './stickiness/plan.ts'
import { planTrends } from './trends/plan.ts'

/** Only of what its schema has found right. */
type Compile = (query: never, context: Context) => Plan

/** Every kind of query that is compiled to statements; SQL is not, it is written anew. */
const KINDS: Readonly<Record<string, Compile>> = {
  TrendsQuery: planTrends,
  FunnelsQuery: planFunnels,
  RetentionQuery: planRetention,
  LifecycleQuery: planLifecycle,
  StickinessQuery: planStickiness,
  PathsQuery: planPaths,
}

export const findKind = (name: string): Compile | undefined =>
  Object.hasOwn(KINDS, name) ? KINDS[name] : undefined
