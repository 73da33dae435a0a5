import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { DashboardTemplate } from '#server/features/dashboards/templates/schema.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useCreateDashboard, useCreateFromJson } from '../api.ts'
import { useOpenDashboard } from '../open-dashboard.ts'
import { defaultEvent, fillTemplate, templateVariables } from './variables.ts'

interface UseTemplateDialogProps {
  readonly template: DashboardTemplate
  readonly onClose: () => void
}

/** Asks for a name and for the events that fill the template's variables. */
export function UseTemplateDialog({ template, onClose }: UseTemplateDialogProps) {
  const variables = templateVariables(template)
  const create = useCreateDashboard()
  const createFromJson = useCreateFromJson()
  const open = useOpenDashboard()
  const form = useForm({
    initialValues: {
      name: template.template_name,
      events: Object.fromEntries(variables.map((one) => [one.id, defaultEvent(one)])),
    },
  })
  const submit = ({ name, events }: typeof form.values) => {
    if (variables.length === 0) {
      create.mutate({ name, use_template: template.template_name }, { onSuccess: open })
      return
    }
    const { dashboard_description, dashboard_filters, tags } = template
    createFromJson.mutate(
      {
        template_name: name,
        dashboard_description,
        dashboard_filters,
        tags,
        tiles: fillTemplate(template, events),
      },
      { onSuccess: open },
    )
  }
  return (
    <FormDialog
      title={`Use “${template.template_name}”`}
      yes="Create dashboard"
      saving={variables.length === 0 ? create : createFromJson}
      onSubmit={form.onSubmit(submit)}
      onClose={onClose}
    >
      <TextInput
        label="Dashboard name"
        maxLength={400}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      {variables.length > 0 && (
        <Text size="sm" c="dimmed">
          Choose your events for this template.
        </Text>
      )}
      {variables.map((variable) => (
        <TextInput
          key={variable.id}
          label={variable.name}
          description={variable.description}
          required={variable.required}
          {...form.getInputProps(`events.${variable.id}`)}
        />
      ))}
    </FormDialog>
  )
}
