import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notify } from '../../../ui/dialog/notify.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { DashboardSelect } from '../dashboard-select.tsx'
import { useCreateTemplate } from './api.ts'

interface CreateTemplateDialogProps {
  /** undefined if the user chooses. */
  readonly dashboard?: { readonly id: number; readonly name: string }
  readonly onClose: () => void
}

/** Saves a dashboard as a template. */
export function CreateTemplateDialog({ dashboard, onClose }: CreateTemplateDialogProps) {
  const create = useCreateTemplate()
  const form = useForm({
    initialValues: {
      template_name: dashboard?.name ?? '',
      from_dashboard: dashboard?.id ?? (null as number | null),
    },
    validate: { from_dashboard: (id) => (id === null ? 'Choose a dashboard.' : null) },
  })
  const { template_name, from_dashboard } = form.values
  const save = () =>
    create.mutate(
      { template_name, from_dashboard: from_dashboard ?? 0 },
      {
        onSuccess: () => {
          if (dashboard) notify({ message: `“${template_name}” was saved as a template.` })
          onClose()
        },
      },
    )
  return (
    <FormDialog
      title={dashboard ? 'Save as template' : 'New template from dashboard'}
      yes="Create template"
      saving={create}
      form={dashboard ? { ...form, values: { template_name } } : form}
      onSubmit={form.onSubmit(save)}
      onClose={onClose}
    >
      {dashboard ? (
        <Text size="sm" c="dimmed">
          Others can create dashboards from it. It does not change with this dashboard.
        </Text>
      ) : (
        <DashboardSelect
          label="Dashboard"
          value={from_dashboard}
          onChange={(id) => form.setFieldValue('from_dashboard', id)}
          error={form.errors.from_dashboard as string | undefined}
        />
      )}
      <TextInput
        label="Template name"
        maxLength={400}
        required
        data-autofocus={dashboard !== undefined || undefined}
        {...form.getInputProps('template_name')}
      />
      {!dashboard && (
        <Text size="sm" c="dimmed">
          The template keeps the current tiles. It does not change with the dashboard.
        </Text>
      )}
    </FormDialog>
  )
}
