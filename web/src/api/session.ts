import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { Me, Project } from '#server/features/accounts/projects/schema.ts'
import { api, type ListPage } from './client.ts'
import { useSignOutMutation } from './sign-out.ts'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => api.get<Me>('/api/users/@me'),
  staleTime: 60_000,
})

/** Lists all projects: a page of one that is missing here would not be found. */
async function listProjects(offset = 0): Promise<readonly Project[]> {
  const query = { limit: 1000, offset }
  const { next, results } = await api.get<ListPage<Project>>('/api/projects', query)
  return next ? [...results, ...(await listProjects(offset + 1000))] : results
}

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async () => ({ results: await listProjects() }),
  staleTime: 60_000,
})

/** Tells whether a project has events. Once it has, the answer is kept. */
export const hasEventsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['has-events', projectId],
    queryFn: async () => {
      const path = `/api/projects/${projectId}/events`
      return (await api.get<{ results: readonly unknown[] }>(path, { limit: 1 })).results.length > 0
    },
    staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 0),
  })

/** Returns the signed-in user. The shell's route loader has fetched it. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data

export const useSignOut = () =>
  useSignOutMutation((everywhere: boolean) =>
    api.post(everywhere ? '/api/sign_out/everywhere' : '/api/sign_out'),
  )

export const ROLE_NAMES: Readonly<Record<number, string>> = { 1: 'Member', 8: 'Admin', 15: 'Owner' }

/** True for admins and owners. */
export const isAdmin = (me: Me): boolean => me.organization.membership_level >= 8
