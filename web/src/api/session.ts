import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import type { Me, Project } from '../../../src/features/projects/schema.ts'
import { api, type Page } from './client.ts'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => api.get<Me>('/api/users/@me'),
  staleTime: 60_000,
})

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: () => api.get<Page<Project>>('/api/projects', { limit: 1000 }),
  staleTime: 60_000,
})

/** Whoever is signed in. The routes inside of the shell have asked already. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data

export function useSignOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (everywhere: boolean) =>
      api.post(everywhere ? '/api/sign_out/everywhere' : '/api/sign_out'),
    onSuccess: () => {
      client.clear()
      location.assign('/sign-in')
    },
  })
}

export const LEVELS: Readonly<Record<number, string>> = { 1: 'Member', 8: 'Admin', 15: 'Owner' }

/** Admins and owners. */
export const isAdmin = (me: Me): boolean => me.organization.membership_level >= 8
