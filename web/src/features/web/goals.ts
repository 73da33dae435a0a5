import { isObject } from '#model/json.ts'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import { toActionsNode, toEventsNode } from '#model/query-kinds/events.ts'

/** A goal in the URL of the page: an event, or an action. */
export type Goal = { readonly event: string } | { readonly action: number; readonly name: string }

export const MAX_GOALS = 20

/** Picks the goals of a URL, which may contain anything. */
export const toGoals = (values: readonly unknown[]): readonly Goal[] =>
  values.filter(isGoal).slice(0, MAX_GOALS)

const isGoal = (value: unknown): value is Goal =>
  isObject(value) &&
  (typeof value.event === 'string'
    ? value.event !== ''
    : Number.isSafeInteger(value.action) && typeof value.name === 'string')

export const toGoalNode = (goal: Goal): EventsNode =>
  'event' in goal ? toEventsNode(goal.event) : toActionsNode({ id: goal.action, name: goal.name })

/** Returns nothing for all events, which every visitor does. */
export const toGoal = ({ id, event, name }: EventsNode): Goal[] => {
  if (id) return [{ action: id, name: name ?? '' }]
  return event ? [{ event }] : []
}
