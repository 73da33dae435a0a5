import type { Source } from '../../analytics/queries/answer.ts'
import type { Context } from '../../analytics/queries/plan.ts'
import { ApiError } from '../../errors.ts'
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

/** A query that can be answered, with everything that its answer depends on. */
export interface Question {
  readonly projectId: number
  readonly key: string
  readonly source: Source
  readonly context: Context
  readonly insightIds: Set<number>
}

/** By what was asked: a query that is asked again need not be checked again. */
const checked = new WeakMap<
  Asked,
  { readonly where: string; readonly question: Question | ApiError }
>()

export function toQuestion(
  projectId: number,
  asked: Asked,
  context: Omit<Context, 'attr'>,
): Question | ApiError {
  const { zone, weekStart, testAccountFilters, now } = context
  const where = JSON.stringify([projectId, zone, weekStart, testAccountFilters])
  const known = checked.get(asked)
  const question = known?.where === where ? known.question : tryQuestion(projectId, asked, context)
  checked.set(asked, { where, question })
  if (question instanceof ApiError) return question
  return {
    ...question,
    context: { ...question.context, now },
    insightIds: new Set(question.insightIds),
  }
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
    const whole = { ...context, attr }
    const insightIds = new Set(insightId === undefined ? [] : [insightId])
    return {
      projectId,
      key: keyOf(projectId, asked, whole),
      source: asked,
      context: whole,
      insightIds,
    }
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
