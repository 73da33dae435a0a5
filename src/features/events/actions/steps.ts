import { sql } from 'kysely'
import { ActionStep } from '#model/action-step.schema.ts'
import { hasCondition } from '#model/actions.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import { toRequired } from '#server/analytics/queries/columns.ts'
import { and, columnsIn, matches, requirePattern } from '#server/analytics/queries/filters.ts'
import { requireGroupTypesIn } from '#server/analytics/queries/group-types.ts'
import type { Db } from '#server/db/schema.ts'
import { invalid } from '#server/errors.ts'
import { getQueryContext } from '#server/features/accounts/projects/query-context.ts'
import { requireUnderstood } from '#server/http/require-understood.ts'
import { withNamedCohorts } from '../cohorts/definitions.ts'

interface StepDeps {
  readonly db: Db
  readonly events: EventStore
}

/** Checks the steps of an action, so that errors occur now and not when the action is used. */
export async function requireSteps(
  { db, events: store }: StepDeps,
  projectId: number,
  given: readonly ActionStep[],
): Promise<ActionStep[]> {
  for (const [index, step] of given.entries()) requireStep(step, `steps__${index}`)
  const properties = given.map((step) => step.properties ?? [])
  await requireGroupTypesIn({ store, projectId }, given, 'steps')
  const settings = await getQueryContext(db, projectId)
  const context = await withNamedCohorts(db, projectId, settings, properties)
  const required = toRequired(properties.flatMap(columnsIn))
  await store.query(projectId, {
    ...required,
    properties: [...new Set([...required.properties, ...context.cohorts.properties])],
    toSql: (table) => {
      const conditions = properties.map((filters, index) =>
        matches(table, filters, context, `steps__${index}__properties`),
      )
      return sql`select 1 as found from ${table.rows} e where ${and(conditions)} limit 0`
    },
  })
  return given.map(toStored)
}

function requireStep(step: ActionStep, attr: string): void {
  requireUnderstood(ActionStep, step, attr)
  if (step.url_matching === 'regex') requirePattern(step.url ?? '', `${attr}__url`)
  if (step.text_matching === 'regex') requirePattern(step.text ?? '', `${attr}__text`)
  if (hasCondition(step)) return
  throw invalid(attr, 'A step has an event, a URL, a text or properties.', 'required')
}

/** Says what clients leave out, and forgets what has no effect. */
const toStored = ({ event, url, url_matching, text, text_matching, properties }: ActionStep) => ({
  event: event || null,
  url: url || null,
  url_matching: url ? (url_matching ?? 'contains') : null,
  text: text || null,
  text_matching: text ? (text_matching ?? 'exact') : null,
  properties: properties ?? [],
})
