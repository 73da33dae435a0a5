import { TagsDialog } from '../../ui/list/tags.tsx'
import { type DashboardItem, useDashboardTags, useUpdateDashboards } from './api.ts'
import { dashboardName } from './dashboard-row.tsx'

interface EditTagsDialogProps {
  readonly item: DashboardItem
  readonly onClose: () => void
}

export function EditTagsDialog({ item, onClose }: EditTagsDialogProps) {
  const change = useUpdateDashboards({ showsError: true })
  const known = useDashboardTags()
  return (
    <TagsDialog
      title={`Tags for ${dashboardName(item)}`}
      known={known.data ?? []}
      initial={item.tags}
      yes="Save"
      isPending={change.isPending}
      error={change.error}
      onSave={(tags) =>
        change.mutate(
          { ids: [item.id], change: () => ({ tags: [...tags] }) },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    />
  )
}
