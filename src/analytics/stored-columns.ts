import { sanitizeText } from '../db/sanitize.ts'
import type { GroupProperty, RequiredColumns } from './event-table.ts'

/** The columns that a statement reads, by their stored names. */
export interface StoredColumns {
  readonly properties: readonly string[]
  readonly personProperties: readonly string[]
  readonly personUuid: boolean
  /** The types of groups whose keys are read. */
  readonly groupKeys: readonly number[]
  readonly groupProperties: ReadonlyMap<number, readonly string[]>
}

export const toStoredColumns = ({
  properties,
  personProperties = [],
  personUuid = false,
  groupKeys = [],
  groupProperties = [],
}: RequiredColumns): StoredColumns => ({
  properties: properties.map(sanitizeText),
  personProperties: personProperties.map(sanitizeText),
  personUuid,
  groupKeys: [...new Set([...groupKeys, ...groupProperties.map(({ index }) => index)])].toSorted(),
  groupProperties: byIndex(groupProperties),
})

function byIndex(properties: readonly GroupProperty[]): Map<number, readonly string[]> {
  const groups = Map.groupBy(properties, ({ index }) => index)
  return new Map(
    [...groups].map(([index, each]) => [index, each.map(({ key }) => sanitizeText(key))]),
  )
}
