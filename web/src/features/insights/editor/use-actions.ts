import { useBlocker, useNavigate } from '@tanstack/react-router'
import { toCopyName } from '#model/copy-name.ts'
import type { InsightWrite } from '#server/features/dashboards/insights/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { confirm } from '../../../ui/dialog/confirm.tsx'
import { notify } from '../../../ui/dialog/notify.ts'
import { useDuplicateInsight } from '../list-api.ts'
import { type Insight, useSaveInsight } from './api.ts'
import { describeQuery, type InsightDraft } from './draft.ts'

interface Editing {
  readonly insight: Insight | undefined
  readonly draft: InsightDraft
  readonly changes: Partial<InsightDraft>
  readonly dashboard: number | undefined
  /** The URL holds all edits, so reloading loses nothing. */
  readonly isInAddress: boolean
  readonly clearEdits: () => void
}

const toWrite = (draft: Partial<InsightDraft>): InsightWrite => ({
  ...draft,
  ...(draft.query && { derived_name: describeQuery(draft.query) }),
})

/** Actions of the insight editor. Asks before unsaved edits are lost. */
export function useInsightActions({
  insight,
  draft,
  changes,
  dashboard,
  isInAddress,
  clearEdits,
}: Editing) {
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const save = useSaveInsight()
  const duplicate = useDuplicateInsight()
  const shortId = insight?.short_id
  const isChanged = Object.keys(changes).length > 0
  useBlocker({
    shouldBlockFn: async () =>
      !(await confirm({
        title: 'Leave without saving?',
        message: 'Your changes to this insight will be lost.',
        yes: 'Leave',
        isDangerous: true,
      })),
    disabled: !isChanged,
    enableBeforeUnload: () => isChanged && !isInAddress,
  })

  const open = (one: Insight) =>
    navigate({
      to: '/project/$projectId/insights/$shortId',
      params: { projectId, shortId: one.short_id },
      ignoreBlocker: true,
    })
  const openDashboard = (id: number) =>
    navigate({
      to: '/project/$projectId/dashboards/$dashboardId',
      params: { projectId, dashboardId: `${id}` },
      ignoreBlocker: true,
    })
  return {
    problem: save.error,
    isSaving: save.isPending,
    save: () =>
      save.mutate(
        { shortId, ...toWrite(insight ? changes : draft) },
        {
          onSuccess: async (saved) => {
            clearEdits()
            notify({ message: 'Saved.' })
            if (insight) return
            const isBack = dashboard !== undefined && saved.dashboards.includes(dashboard)
            await (isBack ? openDashboard(dashboard) : open(saved))
          },
        },
      ),
    saveAsNew: () => {
      const name = toCopyName(draft.name)
      save.mutate({ ...toWrite({ ...draft, name }) }, { onSuccess: (saved) => open(saved) })
    },
    duplicate: () => insight && duplicate.mutate(insight.id, { onSuccess: (copy) => open(copy) }),
    favorite: () => insight && save.mutate({ shortId, favorited: !insight.favorited }),
    trash: () =>
      insight &&
      save.mutate(
        { shortId, deleted: !insight.deleted },
        {
          onSuccess: ({ deleted }) =>
            notify({ message: deleted ? 'Moved to trash.' : 'Restored.' }),
        },
      ),
  }
}
