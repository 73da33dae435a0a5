import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ErrorAlert } from '../../ui/states.tsx'
import { type DashboardItem, useUpdateDashboards } from './api.ts'

interface RenameDialogProps {
  readonly item: DashboardItem
  readonly onClose: () => void
}

export function RenameDialog({ item, onClose }: RenameDialogProps) {
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
