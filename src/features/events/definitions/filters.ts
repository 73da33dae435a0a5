import { invalid } from '#server/errors.ts'
import { toValues } from '#server/http/list-parameter.ts'
import { MAX_EVENT_NAMES } from './property-types.ts'
import type {
  Details,
  EventDefinition,
  EventDefinitionQuery,
  PropertyDefinition,
  PropertyDefinitionQuery,
} from './schema.ts'

/** Returns the names of the events whose properties are listed; undefined for the most frequent ones. */
export function toEventNames({
  event,
  event_names,
  filter_by_event_names,
}: PropertyDefinitionQuery): readonly string[] | undefined {
  const named = filter_by_event_names && event_names ? toValues(event_names) : undefined
  if (named && named.length > MAX_EVENT_NAMES) {
    throw invalid('event_names', `Name at most ${MAX_EVENT_NAMES} events.`)
  }
  if (event === undefined) return named
  return named && !named.includes(event) ? [] : [event]
}

const fits = (flag: boolean | undefined, value: boolean) => flag === undefined || flag === value

const matchesDetails = (
  { verified, hidden }: Pick<Details, 'verified' | 'hidden'>,
  query: Pick<EventDefinitionQuery, 'verified' | 'exclude_hidden'>,
): boolean => fits(query.verified, verified) && !(query.exclude_hidden && hidden)

/** Applies the filters of a list of events, besides the search. */
export function filterEvents(
  found: readonly EventDefinition[],
  query: EventDefinitionQuery,
): readonly EventDefinition[] {
  const tags = query.tags === undefined ? undefined : new Set(toValues(query.tags))
  return found.filter(
    (each) => matchesDetails(each, query) && (!tags || each.tags.some((tag) => tags.has(tag))),
  )
}

/** Applies the filters of a list of properties, besides the search and those on events. */
export function filterProperties(
  found: readonly PropertyDefinition[],
  query: PropertyDefinitionQuery,
): readonly PropertyDefinition[] {
  const wanted = query.properties === undefined ? undefined : new Set(query.properties.split(','))
  const excluded = new Set(toValues(query.excluded_properties ?? []))
  return found.filter(
    (each) =>
      (!wanted || wanted.has(each.name)) &&
      !excluded.has(each.name) &&
      !(query.exclude_core_properties && each.name.startsWith('$')) &&
      fits(query.is_feature_flag, each.name.startsWith('$feature/')) &&
      fits(query.is_numerical, each.is_numerical) &&
      matchesDetails(each, query),
  )
}
