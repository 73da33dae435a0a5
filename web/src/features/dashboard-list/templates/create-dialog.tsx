import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ApiError } from '../../../api/client.ts'
import { ErrorAlert } from '../../../ui/page/states.tsx'
import { DashboardSelect } from '../dashboard-select.tsx'
import { useCreateTemplate } from './api.ts'

/** Saves a dashboard as a template. */
export function CreateTemplateDialog({ onClose }: { readonly onClose: () => void }) {
  const create = useCreateTemplate()
  const form = useForm({
    initialValues: { name: '', dashboard: null as number | null },
    validate: { dashboard: (id) => (id === null ? 'Choose a dashboard.' : null) },
  })
  const attr = create.error instanceof ApiError ? create.error.attr : null
  const errorOf = (field: string) => (attr === field ? create.error?.message : undefined)
  return (
    <Modal opened onClose={onClose} title="New template from dashboard">
      <form
        onSubmit={form.onSubmit(({ name, dashboard }) =>
          create.mutate(
            { template_name: name, from_dashboard: dashboard ?? 0 },
            { onSuccess: onClose },
          ),
        )}
      >
        <Stack>
          {create.error && attr !== 'template_name' && <ErrorAlert error={create.error} />}
          <DashboardSelect
            label="Dashboard"
            value={form.values.dashboard}
            onChange={(id) => form.setFieldValue('dashboard', id)}
            error={form.errors.dashboard as string | undefined}
          />
          <TextInput
            label="Template name"
            maxLength={400}
            required
            {...form.getInputProps('name')}
            error={errorOf('template_name')}
          />
          <Text size="sm" c="dimmed">
            The template keeps the current tiles. It does not change with the dashboard.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Create template
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
