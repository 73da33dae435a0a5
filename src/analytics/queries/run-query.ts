import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CommonFields } from '#model/query-kinds/common.schema.ts'
import { kindOf } from '#model/query-kinds/index.ts'
import type { QueryKind } from '#model/query-kinds/query-kind.ts'
import type { TableResult } from '#model/query-results.ts'
import { ApiError } from '#server/errors.ts'
import { type ActorSet, type Point, selectActors } from './actors.ts'
import { withFirstEvent } from './first-event.ts'
import { requireGroupTypes } from './group-types.ts'
import { type Context, type Plan, type PlanRun, runPlan } from './plan.ts'
import { SQL_ATTR } from './sql/errors.ts'

/** A query that matches the schema of its kind. */
export interface ValidQuery {
  readonly kind: string
}

export interface QueryOutput {
  readonly results: unknown
  readonly columns: readonly string[] | null
  readonly types: readonly (readonly [string, string])[] | null
  readonly hasMore: boolean | null
}

/** Compiles a query to statements, runs them and shapes their rows into a result. */
export async function runQuery(
  run: PlanRun,
  query: ValidQuery,
  context: Context,
): Promise<QueryOutput> {
  const kind = kindOf(query) as QueryKind
  try {
    const compile = await loadCompiler(kind)
    await requireGroupTypes(run, query, context)
    const plan = await compile(query, await withFirstEvent(run, query as CommonFields, context))
    const properties = [...new Set([...plan.properties, ...context.cohorts.properties])]
    const results = await runPlan(run, { ...plan, properties })
    if (kind.hasColumns) return results as TableResult
    return { results, columns: null, types: null, hasMore: null }
  } catch (error) {
    throw atText(error, `${context.attr}__query`)
  }
}

/**
 * Runs queries of the same `toShareKey` with statements that they share. Returns one output per query, in order. An
 * error does not tell which query caused it.
 */
export async function runTogether(
  run: PlanRun,
  queries: readonly ValidQuery[],
  context: Context,
): Promise<QueryOutput[]> {
  const [first] = queries as readonly [ValidQuery]
  const compile = await loadCompiler<CompileTogether>(kindOf(first) as QueryKind, 'Together')
  for (const query of queries) await requireGroupTypes(run, query, context)
  const plan = await compile(queries, await withFirstEvent(run, first as CommonFields, context))
  const properties = [...new Set([...plan.properties, ...context.cohorts.properties])]
  const all = await runPlan(run, { ...plan, properties })
  return all.map((results) => ({ results, columns: null, types: null, hasMore: null }))
}

/** Compiles the selection of the persons, groups and events behind a number of a query's result. */
export async function compileActors(
  run: PlanRun,
  query: ValidQuery,
  point: Point,
  context: Context,
): Promise<ActorSet> {
  try {
    await requireGroupTypes(run, query, context)
    const complete = await withFirstEvent(run, query as CommonFields, context)
    return await selectActors(query, point, complete)
  } catch (error) {
    throw atText(error, `${context.attr}__query`)
  }
}

type Compile = (query: ValidQuery, context: Context) => Plan | Promise<Plan>
type CompileTogether = (queries: readonly ValidQuery[], context: Context) => Plan<unknown[]>

const loaded = new Set<string>()

/** Loads a compiler at its first use, since most projects use few kinds. */
async function loadCompiler<Function = Compile>(
  { id, kind }: QueryKind,
  suffix = '',
): Promise<Function> {
  if (!loaded.has(id)) await nextTurn() // loading takes up to 20 ms
  const compiler = await import(`./${id}/compile.ts`)
  if (!loaded.has(id)) await nextTurn()
  loaded.add(id)
  return compiler[`compile${kind}${suffix}`]
}

/** Adds the path of the SQL text to an error, since the SQL compiler does not know it. */
export function atText(error: unknown, attr: string): unknown {
  if (!(error instanceof ApiError) || !error.attr?.startsWith(SQL_ATTR)) return error
  return new ApiError(error.code, error.message, attr)
}
