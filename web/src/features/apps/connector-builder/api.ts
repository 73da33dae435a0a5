import { useMutation } from '@tanstack/react-query'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { DraftOutcome, DraftResponse } from '#server/features/import-apps/drafts/schema.ts'
import { api } from '../../../api/client.ts'
import { useProjectId } from '../../../api/project.ts'
import { useInstall } from '../gallery/api.ts'
import { allKeys, configsPath } from '../keys.ts'
import type { Draft } from './draft.ts'
import { toFiles, toRequestKey, toSettings } from './files.ts'

const DRAFTS = '/api/organizations/@current/plugin_drafts'

export const useFetchResponse = () =>
  useMutation({
    mutationFn: ({ url, key }: Pick<Draft, 'url' | 'key'>) =>
      api.post<DraftResponse>(`${DRAFTS}/fetch`, { url, key: toRequestKey(key) }),
    meta: { showsError: true },
  })

export const useTestDraft = () =>
  useMutation({
    mutationFn: (draft: Draft) =>
      api.post<DraftOutcome>(`${DRAFTS}/test`, {
        files: toFiles(draft),
        settings: toSettings(draft),
      }),
    meta: { showsError: true },
  })

/** Installs the app, and adds it to the project with its key. */
export function useSaveDraft() {
  const projectId = useProjectId()
  const install = useInstall()
  return useMutation({
    mutationFn: async (draft: Draft) => {
      const { id: plugin } = await install.mutateAsync({
        plugin_type: 'source',
        files: toFiles(draft),
      })
      return api.post<PipelineConfig>(configsPath(projectId), {
        plugin,
        enabled: false,
        config: toSettings(draft),
      })
    },
    meta: { showsError: true, stale: allKeys(projectId) },
  })
}
