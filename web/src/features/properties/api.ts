import { useCohorts, useCohortsById } from '../cohorts/api.ts'
import {
  type PropertyDefinition,
  usePropertyDefinitions,
  usePropertyValues,
} from '../definitions/api.ts'
import { useGroupPropertyValues } from '../groups/api.ts'
import type { PropertyRef } from './filters-model.ts'

/** The holders whose properties the server can list. */
export type PropertyHolder = 'event' | 'person' | 'session'

export const isHolder = (type: string): type is PropertyHolder =>
  type === 'event' || type === 'person' || type === 'session'

interface PropertyNames {
  /** Definitions by name. */
  readonly names: ReadonlyMap<string, PropertyDefinition>
  readonly isLoading: boolean
}

/** Suggestions only; any name can be typed. */
export function usePropertyNames(
  type: PropertyHolder,
  event?: string | null,
  search = '',
  { enabled = true } = {},
): PropertyNames {
  const { data, isPending } = usePropertyDefinitions({ type, event, search }, { enabled })
  return { names: new Map(data?.map((each) => [each.name, each])), isLoading: isPending }
}

/** Suggests nothing for columns of events. */
export function usePropertyValueNames(
  { type, key, group_type_index }: PropertyRef,
  event?: string | null,
  value = '',
): readonly string[] {
  const group = { group_type_index: group_type_index ?? 0, key: type === 'group' ? key : '', value }
  const ofGroups = useGroupPropertyValues(group)
  const holder = isHolder(type) ? type : 'event'
  const filter = { type: holder, key: isHolder(type) ? key : '', event, value }
  const found = usePropertyValues(filter).data?.map((each) => String(each.value)) ?? []
  return type === 'group' ? ofGroups : found
}

interface CohortChoice {
  readonly value: string
  readonly label: string
}

/** Returns cohorts to choose from, including the chosen ones, which the list may not contain. */
export function useCohortChoices(chosen: readonly number[], search: string): CohortChoice[] {
  const found = useCohorts({ search: search || undefined }).data?.pages[0]?.results ?? []
  const unlisted = chosen.filter((id) => !found.some((cohort) => cohort.id === id))
  const loaded = useCohortsById(unlisted)
  const others = unlisted.map((id) => loaded.find((cohort) => cohort.id === id) ?? { id, name: '' })
  return [...others, ...found].map(({ id, name }) => ({
    value: `${id}`,
    label: name || `Cohort ${id}`,
  }))
}
