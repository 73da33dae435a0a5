import { sql } from 'kysely'
import type { EVENT_TYPES, PathsFilter } from '#model/query-kinds/paths.schema.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { sanitizeText } from '#server/db/sanitize.ts'
import { type ColumnRef, eventProperty } from '../columns.ts'
import { and, matchesNode, nodeColumns } from '../filters.ts'
import type { Context } from '../plan.ts'

type EventType = (typeof EVENT_TYPES)[number]

/** The events that are steps of paths. */
interface StepEvents {
  readonly types: readonly EventType[]
  readonly actions: readonly StepAction[]
}

interface StepAction {
  readonly name: string
  matches(table: EventTable): Sql
}

const DEFAULT_TYPES: readonly EventType[] = ['$pageview', 'custom_event']

export function toStepEvents(filter: PathsFilter, context: Context): StepEvents {
  const attr = `${context.attr}__pathsFilter__includeActions`
  return {
    types: eventTypesIn(filter),
    actions: (filter.includeActions ?? []).map(({ name, event, rules }, at) => ({
      name: name ?? '',
      matches: (table) => matchesNode(table, { event, rules }, context, `${attr}__${at}`),
    })),
  }
}

/** Without a type, the events of actions are the only steps, if there are actions. */
function eventTypesIn({ includeEventTypes, includeActions }: PathsFilter): readonly EventType[] {
  const isGiven = includeEventTypes?.length || includeActions?.length
  return (isGiven && includeEventTypes) || DEFAULT_TYPES
}

/** Lists the properties that name a step, or tell whether an event is one. */
export function stepColumns(filter: PathsFilter): ColumnRef[] {
  const types = eventTypesIn(filter)
  return [
    ...(types.includes('$pageview') ? ['$pathname', '$current_url'] : []).map(eventProperty),
    ...(types.includes('$screen') ? ['$screen_name'] : []).map(eventProperty),
    ...(filter.includeActions ?? []).flatMap(nodeColumns),
  ]
}

/** Matches events that are steps. */
export function isPathStep(table: EventTable, { types, actions }: StepEvents): Sql {
  const conditions = {
    $pageview: sql`e.event = '$pageview'`,
    $screen: sql`e.event = '$screen'`,
    custom_event: sql`substr(e.event, 1, 1) <> '$'`,
  }
  const all = [
    ...[...new Set(types)].map((type) => conditions[type]),
    ...actions.map((action) => action.matches(table)),
  ]
  return sql`(${sql.join(all, sql` or `)})`
}

/** Names an event by its action, a page by its path, a screen by its name, and everything else by its event. */
export function toPathStepName(table: EventTable, { types, actions }: StepEvents): Sql {
  // the properties of a type that is no step are not read
  const page = () =>
    sql`coalesce(${table.property('$pathname')}, ${toPath(table.property('$current_url'))}, e.event)`
  const screen = () => sql`coalesce(${table.property('$screen_name')}, e.event)`
  const cases = [
    ...actions.map((action) => sql`when ${action.matches(table)} then ${textLiteral(action.name)}`),
    ...(types.includes('$pageview') ? [sql`when e.event = '$pageview' then ${page()}`] : []),
    ...(types.includes('$screen') ? [sql`when e.event = '$screen' then ${screen()}`] : []),
  ]
  return cases.length ? sql`case ${sql.join(cases, sql` `)} else e.event end` : sql`e.event`
}

/** Extracts the path: `https://a.example/b?c#d` becomes `/b`. */
function toPath(url: Sql): Sql {
  const address = sql`split_part(split_part(${url}, '?', 1), '#', 1)`
  const path = sql`regexp_replace(${address}, '^[^/]*//[^/]*', '')`
  return sql`case when ${path} = '' then '/' else ${path} end`
}

/** Matches names that are not excluded, in the column `name`. */
export const isIncluded = ({ excludeEvents }: PathsFilter): Sql =>
  and(excludeEvents?.length ? [sql`name not in (${sql.join(excludeEvents.map(textLiteral))})`] : [])

/** Replaces names in the column `name` by the first pattern that matches. */
export function groupNames(table: EventTable, { pathGroupings }: PathsFilter): Sql {
  if (!pathGroupings?.length) return sql`name`
  const cases = pathGroupings.map(
    (pattern) => sql`when ${table.like(sql`name`, toLike(pattern))} then ${textLiteral(pattern)}`,
  )
  return sql`case ${sql.join(cases, sql` `)} else name end`
}

export const textLiteral = (text: string): Sql => sql`${sanitizeText(text)}::text`

const toLike = (pattern: string): string =>
  sanitizeText(pattern)
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
