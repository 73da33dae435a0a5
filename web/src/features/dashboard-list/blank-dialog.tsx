import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ErrorAlert } from '../../ui/page/states.tsx'
import { useCreateDashboard } from './api.ts'
import { useOpenDashboard } from './open-dashboard.ts'

export function BlankDialog({ onClose }: { readonly onClose: () => void }) {
  const create = useCreateDashboard()
  const open = useOpenDashboard()
  const form = useForm({ initialValues: { name: '' } })
  return (
    <Modal opened onClose={onClose} title="New dashboard">
      <form onSubmit={form.onSubmit((sent) => create.mutate(sent, { onSuccess: open }))}>
        <Stack>
          {create.error && <ErrorAlert error={create.error} />}
          <TextInput
            label="Name"
            placeholder="Weekly metrics"
            maxLength={400}
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Create dashboard
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
