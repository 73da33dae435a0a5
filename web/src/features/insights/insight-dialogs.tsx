import { useState } from 'react'
import { toInsightTitle } from '#model/insight-title.ts'
import { notify } from '../../ui/dialog/notify.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { TagsDialog } from '../../ui/list/tags.tsx'
import { DashboardSelect } from '../dashboard-list/dashboard-select.tsx'
import { type InsightItem, useInsightTags, useUpdateInsight } from './list-api.ts'

interface DialogProps {
  readonly item: InsightItem
  readonly onClose: () => void
}

export function InsightTagsDialog({ item, onClose }: DialogProps) {
  const change = useUpdateInsight({ showsError: true })
  const known = useInsightTags()
  return (
    <TagsDialog
      title={`Tags for ${toInsightTitle(item)}`}
      known={known.data ?? []}
      initial={item.tags}
      yes="Save"
      saving={change}
      onSave={(tags) =>
        change.mutate({ id: item.id, change: { tags: [...tags] } }, { onSuccess: onClose })
      }
      onClose={onClose}
    />
  )
}

export function AddToDashboardDialog({ item, onClose }: DialogProps) {
  const change = useUpdateInsight({ showsError: true })
  const [dashboard, setDashboard] = useState<number | null>(null)
  const isThere = dashboard !== null && item.dashboards.includes(dashboard)
  const add = (id: number) =>
    change.mutate(
      { id: item.id, change: { dashboards: [...item.dashboards, id] } },
      {
        onSuccess: () => {
          notify({ message: `Added “${toInsightTitle(item)}” to the dashboard` })
          onClose()
        },
      },
    )
  return (
    <FormDialog
      title={`Add “${toInsightTitle(item)}” to dashboard`}
      yes="Add insight"
      yesProps={{ disabled: dashboard === null || isThere }}
      saving={change}
      onSubmit={() => dashboard !== null && !isThere && add(dashboard)}
      onClose={onClose}
    >
      <DashboardSelect
        label="Dashboard"
        value={dashboard}
        onChange={setDashboard}
        error={isThere ? 'Already on this dashboard.' : undefined}
      />
    </FormDialog>
  )
}
