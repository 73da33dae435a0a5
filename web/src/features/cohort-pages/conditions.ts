import type {
  BehaviorCondition,
  COUNT_OPERATORS,
  CohortCondition,
  CohortGroup,
  TIME_UNITS,
} from '#model/cohort-filters.schema.ts'
import type { PropertyFilter } from '#model/query-kinds/common.schema.ts'
import type { EventOrAction } from '../actions/event-select.tsx'
import { isComplete, NEW_FILTER } from '../properties/filters-model.ts'

/** The last `time_value` units of time. */
export interface Period {
  readonly time_value: number
  readonly time_interval: (typeof TIME_UNITS)[number]
}

export interface Times {
  readonly operator: (typeof COUNT_OPERATORS)[number]
  readonly operator_value: number
}

/** An event or action, and the properties that it must have. */
interface Performed {
  readonly key: EventOrAction
  readonly filters: readonly PropertyFilter[]
}

/** A condition as the form edits it. */
export type Condition =
  | { readonly kind: 'person'; readonly filter: PropertyFilter }
  | (Performed & { readonly kind: 'did'; readonly times: Times; readonly period: Period })
  | (Performed & { readonly kind: 'did_not'; readonly period: Period })
  /** Did it within the first period, but not within the second. */
  | (Performed & { readonly kind: 'stopped'; readonly before: Period; readonly period: Period })
  | { readonly kind: 'in' | 'not_in'; readonly cohort: number | undefined }

export type ConditionKind = Condition['kind']
export type BehaviorOf<Kind extends ConditionKind> = Extract<Condition, { kind: Kind }>

/** The conditions of a dynamic cohort, as a form edits them. */
export interface Conditions {
  readonly match: CohortGroup['type']
  readonly all: readonly Condition[]
}

export const NEW_CONDITION: Condition = {
  kind: 'person',
  filter: { ...NEW_FILTER, type: 'person' },
}

const ONCE: Times = { operator: 'gte', operator_value: 1 }
const MONTH: Period = { time_value: 30, time_interval: 'day' }
const QUARTER: Period = { time_value: 90, time_interval: 'day' }

/** Changes the kind of a condition. Its event, properties and period are kept. */
export function withKind(condition: Condition, kind: ConditionKind): Condition {
  if (kind === 'person') return NEW_CONDITION
  if (kind === 'in' || kind === 'not_in') {
    return { kind, cohort: 'cohort' in condition ? condition.cohort : undefined }
  }
  const { key, filters, period } =
    'period' in condition ? condition : { key: '', filters: [], period: MONTH }
  if (kind === 'did') return { kind, key, filters, period, times: ONCE }
  return kind === 'did_not'
    ? { kind, key, filters, period }
    : { kind, key, filters, period, before: QUARTER }
}

export function isConditionComplete(condition: Condition): boolean {
  if (condition.kind === 'person') return isComplete(condition.filter)
  if ('cohort' in condition) return condition.cohort !== undefined
  return condition.key !== '' && condition.filters.every(isComplete)
}

/** Returns undefined for groups or conditions that the form cannot edit. */
export function toConditions(filters: object): Conditions | undefined {
  const group = (filters as { readonly properties?: CohortGroup }).properties
  if (!group) return { match: 'AND', all: [] }
  const [only, ...others] = group.values
  // PostHog writes one group inside another
  const isWrapped = only && 'values' in only && others.length === 0 && !toStopped(only)
  const { type, values } = isWrapped ? only : group
  const all = values.map(toCondition)
  return all.every((one) => one !== undefined) ? { match: type, all } : undefined
}

function toCondition(value: CohortGroup | CohortCondition): Condition | undefined {
  if ('values' in value) return toStopped(value)
  const { negation = false } = value
  if (value.type === 'person') return negation ? undefined : { kind: 'person', filter: value }
  if (value.type === 'cohort') {
    const isOut = (value.operator === 'not_in') !== negation
    return { kind: isOut ? 'not_in' : 'in', cohort: value.value }
  }
  const period = toPeriod(value)
  if (!period) return undefined
  const { event_type, operator, operator_value, event_filters } = value
  const key = event_type === 'actions' ? Number(value.key) : `${value.key}`
  const performed = { key, filters: event_filters ?? [], period }
  if (negation) {
    return value.value === 'performed_event' ? { kind: 'did_not', ...performed } : undefined
  }
  const isCounted = value.value === 'performed_event_multiple' && operator_value
  const times = isCounted ? { operator: operator ?? 'gte', operator_value } : ONCE
  return { kind: 'did', ...performed, times }
}

/** Recognizes the group that `fromCondition` writes for a person who stopped. */
export function toStopped({ type, values }: CohortGroup): BehaviorOf<'stopped'> | undefined {
  const [did, didNot, ...others] = values.map((value) =>
    'values' in value ? undefined : toCondition(value),
  )
  if (type !== 'AND' || others.length > 0 || did?.kind !== 'did' || didNot?.kind !== 'did_not') {
    return undefined
  }
  const isSame =
    JSON.stringify([did.key, did.filters]) === JSON.stringify([didNot.key, didNot.filters])
  if (!isSame || did.times.operator !== 'gte' || did.times.operator_value !== 1) return undefined
  return {
    kind: 'stopped',
    key: did.key,
    filters: did.filters,
    before: did.period,
    period: didNot.period,
  }
}

/** The form has no explicit dates. */
function toPeriod({ explicit_datetime, time_value, time_interval }: BehaviorCondition) {
  return !explicit_datetime && time_value && time_interval
    ? { time_value, time_interval }
    : undefined
}

export const fromConditions = ({ match, all }: Conditions) => ({
  properties: { type: match, values: all.map(fromCondition) },
})

function fromCondition(condition: Condition): object {
  switch (condition.kind) {
    case 'person':
      return condition.filter
    case 'in':
    case 'not_in':
      return {
        type: 'cohort',
        key: 'id',
        value: condition.cohort,
        ...(condition.kind === 'not_in' && { negation: true }),
      }
    case 'did':
      return {
        ...toBehavior(condition, condition.period),
        ...(isOnce(condition.times)
          ? {}
          : { value: 'performed_event_multiple', ...condition.times }),
      }
    case 'did_not':
      return { ...toBehavior(condition, condition.period), negation: true }
    case 'stopped':
      return {
        type: 'AND',
        values: [
          toBehavior(condition, condition.before),
          { ...toBehavior(condition, condition.period), negation: true },
        ],
      }
  }
}

export const isOnce = ({ operator, operator_value }: Times): boolean =>
  operator === 'gte' && operator_value === 1

const toBehavior = ({ key, filters }: Performed, period: Period) => ({
  type: 'behavioral',
  key,
  ...(typeof key === 'number' && { event_type: 'actions' }),
  value: 'performed_event',
  ...period,
  ...(filters.length > 0 && { event_filters: filters }),
})
