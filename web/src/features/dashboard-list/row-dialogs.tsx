import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { TagsDialog } from '../../ui/list/tags.tsx'
import { ErrorAlert } from '../../ui/page/states.tsx'
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
    <Modal opened onClose={onClose} title="Rename dashboard">
      <form
        onSubmit={form.onSubmit((sent) =>
          change.mutate({ ids: [item.id], change: () => sent }, { onSuccess: onClose }),
        )}
      >
        <Stack>
          {change.error && <ErrorAlert error={change.error} />}
          <TextInput
            label="Name"
            maxLength={400}
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Textarea label="Description" autosize {...form.getInputProps('description')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={change.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
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
