import { toEventsNodeLabel } from '#model/query-kinds/events.ts'
import { kindOf, type QueryNode } from '#model/query-kinds/index.ts'
import type { Insight } from './api.ts'
import { listEvents, newNode, toNode } from './query-model.ts'

/** The editable fields of an insight, saved together. */
export interface InsightDraft {
  readonly name: string
  readonly description: string
  readonly tags: string[]
  readonly dashboards: number[]
  readonly query: QueryNode
}

/** Returns the saved state; undefined if the editor cannot edit its query. */
export function toInsightDraft(
  insight: Insight | undefined,
  dashboard?: number,
): InsightDraft | undefined {
  if (!insight) {
    const dashboards = dashboard === undefined ? [] : [dashboard]
    return { name: '', description: '', tags: [], dashboards, query: newNode() }
  }
  const { name, description, tags, dashboards } = insight
  const isEmpty = Object.keys(insight.query).length === 0
  const query = isEmpty ? newNode() : toNode(insight.query)
  return query && { name, description, tags, dashboards, query }
}

export const isSameJson = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Returns the edits that differ from the saved state. */
export function draftChanges(
  base: InsightDraft,
  edits: Partial<InsightDraft>,
): Partial<InsightDraft> {
  const differs = ([key, value]: [string, unknown]) =>
    !isSameJson(value, base[key as keyof InsightDraft])
  return Object.fromEntries(Object.entries(edits).filter(differs)) as Partial<InsightDraft>
}

/** Names an insight that has no name. */
export function describeQuery({ source }: QueryNode): string {
  const kind = kindOf(source)
  const name = kind?.name ?? 'Insight'
  const names = listEvents(source).map(toEventsNodeLabel)
  const all = [...new Set(names)].join(kind?.eventSeparator ?? ', ')
  return (all ? `${name}: ${all}` : name).slice(0, 400)
}
