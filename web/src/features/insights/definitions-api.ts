import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'

interface Found<T> {
  readonly results: readonly T[]
}

/** Suggestions only: where they cannot be had, whatever is typed is taken. */
function useSuggestions<T>(
  what: string,
  query: Readonly<Record<string, string | undefined>>,
  isWanted = true,
): readonly T[] {
  const projectId = useProjectId()
  const { data } = useQuery({
    queryKey: ['suggestions', projectId, what, query],
    queryFn: () => api.get<Found<T>>(`/api/projects/${projectId}/${what}`, query),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  })
  return data?.results ?? []
}

const givenOf = (text: string | null | undefined): string | undefined => text || undefined

export const useEventNames = (search = ''): readonly string[] =>
  useSuggestions<{ name: string }>('event_definitions', { search: givenOf(search) }).map(
    ({ name }) => name,
  )

export const usePropertyNames = (event?: string | null, search = ''): readonly string[] =>
  useSuggestions<{ name: string }>('property_definitions', {
    event: givenOf(event),
    search: givenOf(search),
  }).map(({ name }) => name)

export const usePropertyValues = (
  key: string,
  event?: string | null,
  value = '',
): readonly string[] =>
  useSuggestions<{ value: unknown }>(
    'property_values',
    { key, event: givenOf(event), value: givenOf(value) },
    key !== '',
  ).map((found) => String(found.value))
