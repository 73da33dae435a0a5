import type { Shared } from '#model/query-kinds/common.schema.ts'
import type { SqlQuery } from '#model/query-kinds/sql.schema.ts'
import { ApiError } from '#server/errors.ts'
import type { EventStore } from '../event-store.ts'
import { withFirstEvent } from './first-event.ts'
import { findKind } from './kinds.ts'
import type { Context } from './plan.ts'
import { runPlan } from './run-plan.ts'
import { parseUserSql } from './sql/statement.ts'

/** A query that its kind's schema has found right. */
export interface Source {
  readonly kind: string
}

export interface Answer {
  readonly results: unknown
  readonly columns: readonly string[] | null
  readonly types: readonly (readonly [string, string])[] | null
  readonly hasMore: boolean | null
}

type Store = Pick<EventStore, 'query'>

export async function answer(
  store: Store,
  projectId: number,
  source: Source,
  context: Context,
  timeoutMs: number,
): Promise<Answer> {
  const compile = findKind(source.kind)
  if (!compile) return answerSql(store, projectId, source as SqlQuery, context, timeoutMs)
  const plan = compile(
    source as never,
    await withFirstEvent(store, projectId, source as Shared, context),
  )
  const results = await runPlan(store, projectId, plan, timeoutMs)
  return { results, columns: null, types: null, hasMore: null }
}

async function answerSql(
  store: Store,
  projectId: number,
  { query }: SqlQuery,
  context: Context,
  timeoutMs: number,
): Promise<Answer> {
  const now = new Date(context.now.epochMilliseconds)
  try {
    const { properties, toSql, toResult } = await parseUserSql(query, { zone: context.zone, now })
    return toResult(await store.query(projectId, { properties, toSql, timeoutMs }))
  } catch (error) {
    if (!(error instanceof ApiError) || error.attr === null) throw error
    throw new ApiError(error.code, error.message, `${context.attr}__query`)
  }
}
