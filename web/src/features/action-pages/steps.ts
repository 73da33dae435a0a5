import type { ActionStep } from '#model/action-step.schema.ts'
import { hasCondition } from '#model/actions.ts'
import { isComplete, type SavedFilter } from '../properties/filters-model.ts'

export type { ActionStep }

export const MATCHINGS = [
  { value: 'contains', label: 'Contains' },
  { value: 'exact', label: 'Is' },
  { value: 'regex', label: 'Matches regex' },
] as const

export const NEW_STEP: ActionStep = {}

/** Tells whether a step can be searched for and saved. */
export const isStepComplete = (step: ActionStep): boolean =>
  hasCondition(step) && (step.properties ?? []).every((filter) => isComplete(filter as SavedFilter))
