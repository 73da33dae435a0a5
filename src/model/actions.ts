import type { ActionStep } from './action-step.schema.ts'
import type { PropertyFilter, PropertyGroup } from './query-kinds/common.schema.ts'

/** The events of an action: those with this name, if all steps have the same, that match the rules. */
export interface ActionRules {
  readonly event: string | null
  readonly rules: PropertyGroup
}

const OPERATORS = { contains: 'icontains', exact: 'exact', regex: 'regex' } as const

/** Converts the steps of an action to the filters that they stand for. */
export function toActionRules(steps: readonly ActionStep[]): ActionRules {
  const [first] = steps
  const event = steps.every((step) => step.event === first?.event) ? first?.event || null : null
  return {
    event,
    rules: {
      type: 'OR',
      values: steps.map((step) => ({
        type: 'AND',
        values: [...(event === null ? toNameFilter(step) : []), ...toFilters(step)],
      })),
    },
  }
}

const toNameFilter = ({ event }: ActionStep): PropertyFilter[] =>
  event ? [{ type: 'event_metadata', key: 'event', operator: 'exact', value: event }] : []

function toFilters({
  url,
  url_matching,
  text,
  text_matching,
  properties,
}: ActionStep): PropertyFilter[] {
  const compare = (key: string, value: string, matching: keyof typeof OPERATORS) =>
    ({ type: 'event', key, operator: OPERATORS[matching], value }) as const
  return [
    ...(url ? [compare('$current_url', url, url_matching ?? 'contains')] : []),
    ...(text ? [compare('$el_text', text, text_matching ?? 'exact')] : []),
    ...(properties ?? []),
  ]
}

/** Tells whether a step says anything about events. */
export const hasCondition = (step: ActionStep): boolean =>
  Boolean(step.event) || toFilters(step).length > 0

/** Lists the filters of a group and of the groups inside it. */
export const listFilters = (group: PropertyGroup | undefined): PropertyFilter[] =>
  (group?.values ?? []).flatMap((each) => ('values' in each ? listFilters(each) : [each]))
