import { TagsDialog } from '../../ui/list/tags.tsx'
import { type Item, useChangeDashboards, useDashboardTags } from './api.ts'
import { nameOf } from './dashboard-row.tsx'

interface EditTagsDialogProps {
  readonly item: Item
  readonly onClose: () => void
}

export function EditTagsDialog({ item, onClose }: EditTagsDialogProps) {
  const change = useChangeDashboards({ showsError: true })
  const known = useDashboardTags()
  return (
    <TagsDialog
      title={`Tags of ${nameOf(item)}`}
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
