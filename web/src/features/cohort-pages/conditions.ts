import type { CohortGroup, PersonCondition } from '#model/cohort-filters.schema.ts'
import type { PropertyFilter } from '#model/query-kinds/common.schema.ts'
import { NEW_FILTER } from '../properties/filters-model.ts'

/** The conditions of a dynamic cohort, as a form edits them. */
export interface Conditions {
  readonly match: CohortGroup['type']
  readonly filters: readonly PropertyFilter[]
}

export const NEW_CONDITION: PropertyFilter = { ...NEW_FILTER, type: 'person' }

const isPerson = (value: CohortGroup['values'][number]): value is PersonCondition =>
  !('values' in value) && value.type === 'person' && !value.negation

/** Returns undefined for groups or conditions that the form cannot edit. */
export function toConditions(filters: object): Conditions | undefined {
  const group = (filters as { readonly properties?: CohortGroup }).properties
  if (!group) return { match: 'AND', filters: [] }
  const [only, ...others] = group.values
  // PostHog writes one group inside another
  const { type, values } = only && 'values' in only && others.length === 0 ? only : group
  return values.every(isPerson) ? { match: type, filters: values } : undefined
}

export const fromConditions = ({ match, filters }: Conditions) => ({
  properties: { type: match, values: filters },
})
