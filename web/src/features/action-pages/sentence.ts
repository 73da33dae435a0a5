import type { ActionStep } from '#model/action-step.schema.ts'
import { toEventLabel } from '#model/names/event-label.ts'
import type { SavedFilter } from '../properties/filters-model.ts'
import { describeFilter } from '../properties/filters-model.ts'

const WORDS = { contains: 'contains', exact: 'is', regex: 'matches' } as const

/** Says in words which events match a step. */
export function describeStep(step: ActionStep): string {
  const { event, url, url_matching, text, text_matching, properties } = step
  const conditions = [
    ...(url ? [`URL ${WORDS[url_matching ?? 'contains']} “${url}”`] : []),
    ...(text ? [`text ${WORDS[text_matching ?? 'exact']} “${text}”`] : []),
    ...(properties ?? []).map((filter) => describeFilter(filter as SavedFilter)),
  ]
  const name = event ? toEventLabel(event) : 'Any event'
  return conditions.length > 0 ? `${name} where ${conditions.join(' and ')}` : name
}
