import { useMutation, useQuery } from '@tanstack/react-query'
import type {
  Comment,
  CommentCreate,
  CommentPatch,
  Mention,
} from '#server/features/dashboards/comments/schema.ts'
import { api, type ListPage } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { membersQuery } from '../sharing/api.ts'
import { type Mentionable, toMentionables } from './mention-text.ts'

/** The most that the server lists at a time. */
export const MAX_SHOWN = 1000
const POLL_MS = 15_000

const commentsPath = (projectId: number): string => `/api/projects/${projectId}/comments`
const toKey = (projectId: number) => ['comments', projectId]

/** Reads the comments on a dashboard, the newest first, again and again. */
export function useComments(dashboardId: number, completed: 'open' | 'completed') {
  const projectId = useProjectId()
  const query = { scope: 'Dashboard', item_id: dashboardId, completed, limit: MAX_SHOWN }
  return useQuery({
    queryKey: [...toKey(projectId), query],
    queryFn: () => api.get<ListPage<Comment>>(commentsPath(projectId), query),
    staleTime: 0,
    refetchInterval: POLL_MS,
  })
}

/** Counts the comments of open threads on a dashboard. */
export function useOpenComments(dashboardId: number): number {
  const projectId = useProjectId()
  const query = { scope: 'Dashboard', item_id: dashboardId, completed: 'open' }
  return (
    useQuery({
      queryKey: [...toKey(projectId), 'count', query],
      queryFn: () => api.get<{ count: number }>(`${commentsPath(projectId)}/count`, query),
    }).data?.count ?? 0
  )
}

/** Reads a comment, to find out whether its thread is resolved. */
export function useComment(id: string | undefined) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: [...toKey(projectId), id],
    queryFn: () => api.get<Comment>(`${commentsPath(projectId)}/${id}`),
    enabled: id !== undefined,
    retry: false,
  })
}

function useChange<Variables>(
  change: (path: string, variables: Variables) => Promise<Comment>,
  showsError = false,
) {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (variables: Variables) => change(commentsPath(projectId), variables),
    meta: { showsError, stale: [toKey(projectId)] },
  })
}

export const useCreateComment = () =>
  useChange((path, body: CommentCreate) => api.post<Comment>(path, body), true)

export const usePatchComment = () =>
  useChange((path, { id, ...body }: CommentPatch & { readonly id: string }) =>
    api.patch<Comment>(`${path}/${id}`, body),
  )

export const useCompleteThread = () =>
  useChange((path, { id, completed_at }: Pick<Comment, 'id' | 'completed_at'>) =>
    api.post<Comment>(`${path}/${id}/${completed_at === null ? 'complete' : 'reopen'}`),
  )

/** The members of the project, whom comments can mention. */
export function useMentionables(): readonly Mentionable[] {
  const members = useQuery(membersQuery(useProjectId())).data ?? []
  return toMentionables(members.map(({ user }) => user))
}

const MENTIONS = '/api/users/@me/mentions'
const MENTIONS_KEY = ['mentions']

export const useMentions = () =>
  useQuery({
    queryKey: [...MENTIONS_KEY, 'all'],
    queryFn: () => api.get<ListPage<Mention>>(MENTIONS, { limit: 100 }),
    staleTime: 0,
  })

/** Counts the mentions that the user has not read, each minute. */
export const useUnreadMentions = (): number =>
  useQuery({
    queryKey: [...MENTIONS_KEY, 'unread'],
    queryFn: () => api.get<ListPage<Mention>>(MENTIONS, { unread: true, limit: 1 }),
    refetchInterval: 60_000,
  }).data?.count ?? 0

/** Marks mentions as read, all of them without `ids`. */
export const useReadMentions = () =>
  useMutation({
    mutationFn: (ids?: readonly number[]) => api.post(`${MENTIONS}/read`, ids ? { ids } : {}),
    meta: { stale: [MENTIONS_KEY] },
  })
