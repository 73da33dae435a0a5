import { invalid } from '#server/errors.ts'
import { toValues } from '#server/http/list-parameter.ts'
import { MAX_EVENT_NAMES } from './property-types.ts'
import type { PropertyDefinition, PropertyDefinitionQuery } from './schema.ts'

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

/** Applies the filters of a list of properties, besides those on events. */
export function filterProperties(
  found: readonly PropertyDefinition[],
  query: PropertyDefinitionQuery,
): readonly PropertyDefinition[] {
  const wanted = query.properties === undefined ? undefined : new Set(query.properties.split(','))
  const excluded = new Set(toValues(query.excluded_properties ?? []))
  const fits = (flag: boolean | undefined, value: boolean) => flag === undefined || flag === value
  return found.filter(
    ({ name, property_type }) =>
      (!wanted || wanted.has(name)) &&
      !excluded.has(name) &&
      !(query.exclude_core_properties && name.startsWith('$')) &&
      fits(query.is_feature_flag, name.startsWith('$feature/')) &&
      fits(query.is_numerical, property_type === 'Numeric') &&
      fits(query.verified, false),
  )
}
