import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { ApiError } from '../../../api/client.ts'
import { notify } from '../../../ui/dialog/notify.ts'
import { useCreateTemplate } from '../../dashboard-list/templates/api.ts'

interface TemplateDialogProps {
  readonly dashboard: Dashboard
  readonly onClose: () => void
}

export function TemplateDialog({ dashboard, onClose }: TemplateDialogProps) {
  const [name, setName] = useState(dashboard.name)
  const create = useCreateTemplate()
  const isAboutName = create.error instanceof ApiError && create.error.attr === 'template_name'
  const submit = () =>
    create.mutate(
      { template_name: name, from_dashboard: dashboard.id },
      {
        onSuccess: () => {
          notify({ message: `“${name}” was saved as a template.` })
          onClose()
        },
      },
    )
  return (
    <Modal opened onClose={onClose} title="Save as template">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            Others can create dashboards from it. It does not change with this dashboard.
          </Text>
          <TextInput
            data-autofocus
            required
            label="Template name"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={isAboutName ? create.error?.message : undefined}
          />
          {create.error && !isAboutName && (
            <Text size="sm" c="red" role="alert">
              {create.error.message}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
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
