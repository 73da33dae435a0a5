import type { FieldType, Transform } from '#apps/connector/connector.ts'
import { type Fields, transform } from '#apps/connector/transform.ts'

/** A change of one field of each record. */
export type Step =
  | { readonly kind: 'add'; readonly field: string; readonly value: string }
  | { readonly kind: 'remove'; readonly field: string }
  | { readonly kind: 'rename'; readonly field: string; readonly to: string }
  | { readonly kind: 'cast'; readonly field: string; readonly type: FieldType }

export type StepKind = Step['kind']

/** Returns a step of another kind on the same field. */
export function toStep(kind: StepKind, field = ''): Step {
  switch (kind) {
    case 'add':
      return { kind, field, value: '' }
    case 'rename':
      return { kind, field, to: '' }
    case 'cast':
      return { kind, field, type: 'number' }
    case 'remove':
      return { kind, field }
  }
}

export const isComplete = (step: Step): boolean =>
  step.field !== '' && (step.kind !== 'rename' || step.to !== '')

/** Returns the steps of `connector.yaml`. */
export const toTransform = (steps: readonly Step[]): readonly Transform[] => steps.map(toChange)

function toChange(step: Step): Transform {
  switch (step.kind) {
    case 'add':
      return { add: { [step.field]: step.value } }
    case 'remove':
      return { remove: [step.field] }
    case 'rename':
      return { rename: { [step.field]: step.to } }
    case 'cast':
      return { cast: { [step.field]: step.type } }
  }
}

/** Changes a record as the connector does, by the steps that are complete. */
export const applySteps = (
  record: Fields,
  steps: readonly Step[],
  fill: (text: string) => string | null,
): Fields => transform(record, toTransform(steps.filter(isComplete)), fill)

/** Finds the path that a value has after the steps; undefined once its field is removed. */
export function followSteps(given: string, steps: readonly Step[]): string | undefined {
  let path = given
  for (const step of steps.filter(isComplete)) {
    const { kind, field } = step
    if (path !== field && !path.startsWith(`${field}.`)) continue
    if (kind === 'remove') return undefined
    if (kind === 'rename') path = step.to + path.slice(field.length)
  }
  return path
}
