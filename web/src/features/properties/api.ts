import { useCohort, useCohorts } from '../cohorts/api.ts'
import { usePropertyDefinitions, usePropertyValues } from '../events/api.ts'
import type { PropertyRef } from './filters-model.ts'

/** The holders whose properties the server can list. */
export type PropertyHolder = 'event' | 'person'

export const isHolder = (type: string): type is PropertyHolder =>
  type === 'event' || type === 'person'

/** Suggestions only; any name can be typed. */
export const usePropertyNames = (
  type: PropertyHolder,
  event?: string | null,
  search = '',
): readonly string[] =>
  usePropertyDefinitions({ type, event, search }).data?.map(({ name }) => name) ?? []

/** Suggests nothing for columns of events. */
export function usePropertyValueNames(
  { type, key }: PropertyRef,
  event?: string | null,
  value = '',
): readonly string[] {
  const holder = isHolder(type) ? type : 'event'
  const asked = { type: holder, key: isHolder(type) ? key : '', event, value }
  return usePropertyValues(asked).data?.map((found) => String(found.value)) ?? []
}

/** Returns cohorts to choose from, including the chosen one, which the list may not contain. */
export function useCohortChoices(chosen: number | undefined, search: string) {
  const found = useCohorts({ search: search || undefined }).data?.pages[0]?.results ?? []
  const isListed = chosen === undefined || found.some(({ id }) => id === chosen)
  const { data } = useCohort(chosen ?? 0, { enabled: !isListed })
  if (isListed) return found
  return [data ?? { id: chosen, name: `Cohort ${chosen}` }, ...found]
}
