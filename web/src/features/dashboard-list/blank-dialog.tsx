import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { useCreateDashboard } from './api.ts'
import { useOpenDashboard } from './open-dashboard.ts'

export function BlankDialog({ onClose }: { readonly onClose: () => void }) {
  const create = useCreateDashboard()
  const open = useOpenDashboard()
  const form = useForm({ initialValues: { name: '' } })
  return (
    <FormDialog
      title="New dashboard"
      yes="Create dashboard"
      saving={create}
      onSubmit={form.onSubmit((sent) => create.mutate(sent, { onSuccess: open }))}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        placeholder="Weekly metrics"
        maxLength={400}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormDialog>
  )
}
