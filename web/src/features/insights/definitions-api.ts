import {
  useEventDefinitions,
  usePropertyDefinitions,
  usePropertyValues as useValues,
} from '../events/api.ts'

/** Suggestions only; any name can be typed. */
export const useEventNames = (search = ''): readonly string[] =>
  useEventDefinitions(search).data?.map(({ name }) => name) ?? []

export const usePropertyNames = (event?: string | null, search = ''): readonly string[] =>
  usePropertyDefinitions(event, search).data?.map(({ name }) => name) ?? []

export const usePropertyValueNames = (
  key: string,
  event?: string | null,
  value = '',
): readonly string[] => useValues(key, event, value).data?.map((found) => String(found.value)) ?? []
