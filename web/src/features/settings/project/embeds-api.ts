import { useMutation, useQuery } from '@tanstack/react-query'
import type {
  EmbedSecret,
  EmbedSettings,
  EmbedSettingsPatch,
  NewEmbedSecret,
} from '#server/features/dashboards/embeds/schema.ts'
import { api, type ListPage } from '../../../api/client.ts'

const pathOf = (projectId: number, rest: string) => `/api/projects/${projectId}/${rest}`
const SECRETS = 'embed-secrets'
const SETTINGS = 'embed-settings'

export const useEmbedSecrets = (projectId: number) =>
  useQuery({
    queryKey: [SECRETS, projectId],
    queryFn: async () =>
      (await api.get<ListPage<EmbedSecret>>(pathOf(projectId, 'embed_secrets'))).results,
  })

export const useCreateEmbedSecret = (projectId: number) =>
  useMutation({
    mutationFn: () => api.post<NewEmbedSecret>(pathOf(projectId, 'embed_secrets')),
    meta: { stale: [[SECRETS]] },
  })

export const useRevokeEmbedSecret = (projectId: number) =>
  useMutation({
    mutationFn: (id: number) => api.delete(pathOf(projectId, `embed_secrets/${id}`)),
    meta: { stale: [[SECRETS]] },
  })

export const useEmbedSettings = (projectId: number) =>
  useQuery({
    queryKey: [SETTINGS, projectId],
    queryFn: () => api.get<EmbedSettings>(pathOf(projectId, 'embed_settings')),
  })

export const useSaveEmbedSettings = (projectId: number) =>
  useMutation({
    mutationFn: (patch: EmbedSettingsPatch) =>
      api.patch<EmbedSettings>(pathOf(projectId, 'embed_settings'), patch),
    meta: { showsError: true, stale: [[SETTINGS]] },
  })
