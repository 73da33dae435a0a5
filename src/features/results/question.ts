import type { Source } from '#server/analytics/queries/answer.ts'
import type { Context } from '#server/analytics/queries/plan.ts'
import { ApiError } from '#server/errors.ts'
import { keyOf } from './key.ts'
import { applyOverrides, type Overrides } from './overrides.ts'
import { toSource } from './source.ts'

/** A query in the place where it is shown. */
export interface Asked {
  readonly query: object
  readonly overrides: Overrides
  /** Whose dashboards show it. */
  readonly insightId?: number
}

/** A query that can be answered. */
export interface Question {
  readonly key: string
  readonly source: Source
  /** Where it stands in what the caller sent. */
  readonly attr: string
  readonly insightId: number | undefined
}

/** By what was asked: a query that is asked again in the same place need not be checked again. */
const checked = new WeakMap<
  Asked,
  { readonly where: string; readonly question: Question | ApiError }
>()

/** In the same order. What is wrong with one is no fault of the others. */
export function toQuestions(
  projectId: number,
  asked: readonly Asked[],
  context: Omit<Context, 'attr'>,
): (Question | ApiError)[] {
  const { zone, weekStart, testAccountFilters } = context
  const where = JSON.stringify([projectId, zone, weekStart, testAccountFilters])
  return asked.map((each) => {
    const known = checked.get(each)
    if (known?.where === where) return known.question
    const question = tryQuestion(projectId, each, context)
    checked.set(each, { where, question })
    return question
  })
}

function tryQuestion(
  projectId: number,
  { query, overrides, insightId }: Asked,
  context: Omit<Context, 'attr'>,
): Question | ApiError {
  try {
    const { source, attr } = toSource(query)
    const asked = applyOverrides(source, overrides)
    if (asked !== source) toSource(asked, attr) // a dashboard's filters may be wrong too
    return { key: keyOf(projectId, asked, context), source: asked, attr, insightId }
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
