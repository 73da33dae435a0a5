import type {
  BehaviorCondition,
  CohortCondition,
  CohortGroup,
} from '#model/cohort-filters.schema.ts'
import { pluralize } from '#model/pluralize.ts'
import type { PropertyFilter } from '#model/query-kinds/common.schema.ts'
import type { EventOrAction } from '../actions/event-select.tsx'
import { describeFilter } from '../properties/filters-model.ts'
import { type Period, type Times, toStopped } from './conditions.ts'

/** Returns the name of a cohort or action. */
type NameOf = (id: number, type: 'cohort' | 'action') => string

/** Describes the persons of a dynamic cohort in one sentence. Undefined without conditions. */
export function describeCohort(filters: object, nameOf: NameOf): string | undefined {
  const { properties: group } = filters as { readonly properties?: CohortGroup }
  return group && group.values.length > 0 ? `Persons ${describeGroup(group, nameOf)}.` : undefined
}

/** Lists the conditions of a cohort, without their groups. */
function listConditions(filters: object): readonly CohortCondition[] {
  const { properties: group } = filters as { readonly properties?: CohortGroup }
  return group ? listIn(group) : []
}

const listIn = ({ values }: CohortGroup): CohortCondition[] =>
  values.flatMap((value) => ('values' in value ? listIn(value) : [value]))

/** Returns the IDs of the cohorts that the conditions of a cohort name. */
export const listNamedCohorts = (filters: object): readonly number[] => [
  ...new Set(listConditions(filters).flatMap((one) => (one.type === 'cohort' ? [one.value] : []))),
]

/** Tells whether the conditions of a cohort name an action. */
export const namesAction = (filters: object): boolean =>
  listConditions(filters).some((one) => one.type === 'behavioral' && one.event_type === 'actions')

function describeGroup({ type, values }: CohortGroup, nameOf: NameOf): string {
  const parts = values.map((value) => {
    if (!('values' in value)) return describeCondition(value, nameOf)
    const stopped = toStopped(value)
    if (stopped) {
      const during = `done in ${describePeriod(stopped.before)}, not in ${describePeriod(stopped.period)}`
      return `who stopped doing ${describeEvent(stopped.key, nameOf)}${describeFilters(stopped.filters)} (${during})`
    }
    const inner = describeGroup(value, nameOf)
    return values.length > 1 && value.values.length > 1 ? `(${inner})` : inner
  })
  return parts.join(type === 'AND' ? ' and ' : ' or ')
}

function describeCondition(condition: CohortCondition, nameOf: NameOf): string {
  const { type, negation = false } = condition
  if (type === 'cohort') {
    const isOut = (condition.operator === 'not_in') !== negation
    return `${isOut ? 'not in' : 'in'} cohort “${nameOf(condition.value, 'cohort')}”`
  }
  if (type === 'behavioral') return describeBehavior(condition, nameOf)
  const words = describeFilter({ ...condition, type: 'event' })
  return negation ? `except those whose ${words}` : `whose ${words}`
}

function describeBehavior(condition: BehaviorCondition, nameOf: NameOf): string {
  const { key, value, negation, operator, operator_value } = condition
  const times =
    value === 'performed_event_multiple' && operator_value
      ? ` ${describeTimes({ operator: operator ?? 'gte', operator_value })}`
      : ''
  const verb = negation ? 'did not do' : 'did'
  const isAction = condition.event_type === 'actions'
  const done = describeEvent(isAction ? Number(key) : `${key}`, nameOf)
  return `who ${verb} ${done}${describeFilters(condition.event_filters ?? [])}${times} ${describeSpan(condition)}`
}

const describeEvent = (key: EventOrAction, nameOf: NameOf): string =>
  `“${typeof key === 'number' ? nameOf(key, 'action') : key}”`

export const TIMES_LABELS: Readonly<Record<Times['operator'], string>> = {
  gte: 'at least',
  gt: 'more than',
  lte: 'at most',
  lt: 'fewer than',
  eq: 'exactly',
  exact: 'exactly',
}

const describeTimes = ({ operator, operator_value }: Times): string =>
  `${TIMES_LABELS[operator]} ${pluralize(operator_value, 'time')}`

function describeSpan({ explicit_datetime, time_value, time_interval }: BehaviorCondition): string {
  if (explicit_datetime) return `since ${explicit_datetime}`
  return time_value && time_interval ? `in ${describePeriod({ time_value, time_interval })}` : ''
}

const describePeriod = ({ time_value, time_interval }: Period): string =>
  time_value === 1
    ? `the last ${time_interval}`
    : `the last ${pluralize(time_value, time_interval)}`

const describeFilters = (filters: readonly PropertyFilter[]): string =>
  filters.length === 0
    ? ''
    : ` (where ${filters.map((filter) => describeFilter(filter)).join(' and ')})`
