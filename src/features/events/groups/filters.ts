import type { Properties, PropertyGroup } from '#model/query-kinds/common.schema.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { type FilterContext, matches } from '#server/analytics/queries/filters.ts'
import { toGroupProfiles } from '#server/analytics/queries/profiles.ts'
import { invalid } from '#server/errors.ts'
import { parsePropertyFilters } from '../property-filters.ts'

/** Parses filters on the groups of one type. */
export function parseGroupFilters(text: string, index: number): Properties {
  const properties = parsePropertyFilters(text)
  requireOfGroups(properties, index, 'properties')
  return properties
}

/** Matches groups, in the source `g`. */
export const hasGroupProperties =
  (properties: Properties, context: FilterContext) =>
  (table: EventTable): Sql =>
    matches(toGroupProfiles(table), properties, context, 'properties')

/** Refuses filters on anything but the groups that are listed. */
function requireOfGroups(properties: Properties, index: number, attr: string): void {
  const isList = Array.isArray(properties)
  const values = isList ? properties : (properties as PropertyGroup).values
  for (const [at, each] of values.entries()) {
    const path = isList ? `${attr}__${at}` : `${attr}__values__${at}`
    if ('values' in each) requireOfGroups(each, index, path)
    else if (each.type !== 'group') {
      throw invalid(`${path}__type`, 'Groups are filtered by type group.', 'invalid_choice')
    } else if ((each.group_type_index ?? index) !== index) {
      throw invalid(`${path}__group_type_index`, `These groups have the type ${index}.`)
    }
  }
}
