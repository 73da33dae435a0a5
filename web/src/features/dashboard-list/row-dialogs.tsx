import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { TagsDialog } from '../../ui/list/tags.tsx'
import { type DashboardItem, useDashboardTags, useUpdateDashboards } from './api.ts'
import { dashboardName } from './dashboard-row.tsx'

interface RowDialogProps {
  readonly item: DashboardItem
  readonly onClose: () => void
}

export function RenameDialog({ item, onClose }: RowDialogProps) {
  const change = useUpdateDashboards({ showsError: true })
  const form = useForm({ initialValues: { name: item.name, description: item.description } })
  return (
    <FormDialog
      title="Rename dashboard"
      yes="Save"
      saving={change}
      onSubmit={form.onSubmit((sent) =>
        change.mutate({ ids: [item.id], change: () => sent }, { onSuccess: onClose }),
      )}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        maxLength={400}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Textarea label="Description" autosize {...form.getInputProps('description')} />
    </FormDialog>
  )
}

export function EditTagsDialog({ item, onClose }: RowDialogProps) {
  const change = useUpdateDashboards({ showsError: true })
  const known = useDashboardTags()
  return (
    <TagsDialog
      title={`Tags for ${dashboardName(item)}`}
      known={known.data ?? []}
      initial={item.tags}
      yes="Save"
      saving={change}
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
