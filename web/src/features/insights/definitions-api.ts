import { usePrefetchQuery, useQueryClient } from '@tanstack/react-query'
import { useProjectId } from '../../api/project.ts'
import { eventDefinitionsQuery, propertyDefinitionsQuery } from '../definitions/api.ts'

/** Names that a text can refer to. */
export interface Names {
  readonly events: readonly string[]
  readonly properties: readonly string[]
}

/** Starts to load all names, and returns a function that waits for them. Names that cannot be loaded are left out. */
export function useNamesLoader(): () => Promise<Names> {
  const client = useQueryClient()
  const projectId = useProjectId()
  const eventsQuery = eventDefinitionsQuery(projectId)
  const propertiesQuery = propertyDefinitionsQuery(projectId)
  usePrefetchQuery(eventsQuery)
  usePrefetchQuery(propertiesQuery)
  return async () => {
    const [events, properties] = await Promise.all([
      client.ensureQueryData(eventsQuery).catch(() => []),
      client.ensureQueryData(propertiesQuery).catch(() => []),
    ])
    return {
      events: events.map(({ name }) => name),
      properties: properties.map(({ name }) => name),
    }
  }
}
