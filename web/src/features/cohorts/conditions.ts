import type { CohortGroup, PersonCondition } from '#model/cohort-filters.schema.ts'
import { type Rule, toFilters, toRules } from '../../ui/property-rules/rules.ts'

/** The conditions of a dynamic cohort, as a form edits them. */
export interface Conditions {
  readonly match: CohortGroup['type']
  readonly rules: readonly Rule[]
}

const isPerson = (value: CohortGroup['values'][number]): value is PersonCondition =>
  !('values' in value) && value.type === 'person' && !value.negation

/** undefined: holds groups or conditions that the form has no fields for. */
export function toConditions(filters: object): Conditions | undefined {
  const group = (filters as { readonly properties?: CohortGroup }).properties
  if (!group) return { match: 'AND', rules: [] }
  const [only, ...others] = group.values
  // PostHog writes one group inside another
  const { type, values } = only && 'values' in only && others.length === 0 ? only : group
  return values.every(isPerson) ? { match: type, rules: toRules([...values]) } : undefined
}

export const fromConditions = ({ match, rules }: Conditions) => ({
  properties: { type: match, values: toFilters(rules) },
})
