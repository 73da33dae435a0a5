import { useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Person as PersonSchema } from '#server/features/events/person-rows/schema.ts'
import { api } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'

type Person = Static<typeof PersonSchema>

interface Batch {
  readonly ids: Set<string>
  readonly found: Promise<{ readonly results: Readonly<Record<string, Person>> }>
}

/** The server's limit. */
const MAX_IDS = 200

/** The batches that still take IDs, by address. */
const open = new Map<string, Batch>()

/** Reads the person of a distinct ID, or null without a profile. All rows that are drawn together share one request. */
export function usePersonOf(distinctId: string) {
  const path = `/api/projects/${useProjectId()}/persons/batch_by_distinct_ids`
  return useQuery({
    queryKey: ['person-of', path, distinctId],
    queryFn: () => read(path, distinctId),
    staleTime: 60_000,
  })
}

async function read(path: string, id: string): Promise<Person | null> {
  const current = open.get(path)
  const batch = current && current.ids.size < MAX_IDS ? current : openBatch(path)
  batch.ids.add(id)
  const { results } = await batch.found
  return Object.hasOwn(results, id) ? (results[id] as Person) : null
}

function openBatch(path: string): Batch {
  const ids = new Set<string>()
  const nextTurn = new Promise((resolve) => setTimeout(resolve))
  const found = nextTurn.then(() => {
    if (open.get(path)?.ids === ids) open.delete(path)
    return api.post<Awaited<Batch['found']>>(path, { distinct_ids: [...ids] })
  })
  const batch = { ids, found }
  open.set(path, batch)
  return batch
}
