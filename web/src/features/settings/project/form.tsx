import { Input, NumberInput, SegmentedControl, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Project } from '#server/features/accounts/projects/schema.ts'
import { notify } from '../../../ui/dialog/notify.ts'
import { Choice } from '../../../ui/form/choice.tsx'
import { timeZones } from '../../../ui/form/time-zones.ts'
import { SettingsForm } from '../shared/settings-form.tsx'
import { usePatchProject } from './api.ts'

interface ProjectFormProps {
  readonly project: Project
  readonly canEdit: boolean
}

const DEFAULT_RETENTION_DAYS = 365

export function ProjectForm({ project, canEdit }: ProjectFormProps) {
  const patch = usePatchProject(project.id)
  const form = useForm({
    initialValues: {
      name: project.name,
      timezone: project.timezone,
      week_start_day: project.week_start_day as 0 | 1,
      retention_days: project.retention_days,
      anonymize_ips: project.anonymize_ips,
      viewers_can_export: project.viewers_can_export,
    },
  })
  const { retention_days } = form.values
  const save = form.onSubmit((values) =>
    patch.mutate(values, {
      onSuccess: () => {
        form.resetDirty()
        notify({ message: 'Project saved.' })
      },
    }),
  )
  return (
    <SettingsForm
      form={form}
      saving={patch}
      onSubmit={save}
      yes={canEdit && 'Save project'}
      isDisabled={!form.isDirty()}
    >
      <TextInput
        label="Name"
        required
        maxLength={400}
        disabled={!canEdit}
        {...form.getInputProps('name')}
      />
      <Choice
        label="Time zone"
        description="Defines when a day starts in charts."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        searchable
        disabled={!canEdit}
        limit={100}
        data={timeZones()}
        {...form.getInputProps('timezone')}
      />
      <Input.Wrapper label="First day of the week" labelElement="div">
        <div>
          <SegmentedControl
            aria-label="First day of the week"
            disabled={!canEdit}
            data={[
              { value: '0', label: 'Sunday' },
              { value: '1', label: 'Monday' },
            ]}
            value={`${form.values.week_start_day}`}
            onChange={(day) => form.setFieldValue('week_start_day', day === '0' ? 0 : 1)}
          />
        </div>
      </Input.Wrapper>
      <Stack gap="xs">
        <Switch
          label="Delete old events"
          description="Permanently deleted every hour."
          disabled={!canEdit}
          checked={retention_days !== null}
          onChange={(event) =>
            form.setFieldValue(
              'retention_days',
              event.currentTarget.checked
                ? (project.retention_days ?? DEFAULT_RETENTION_DAYS)
                : null,
            )
          }
        />
        {retention_days !== null && (
          <NumberInput
            label="Retention (days)"
            min={1}
            max={36_500}
            disabled={!canEdit}
            {...form.getInputProps('retention_days')}
          />
        )}
      </Stack>
      <Switch
        label="Discard IP addresses"
        description="New events are stored without the sender's address."
        disabled={!canEdit}
        {...form.getInputProps('anonymize_ips', { type: 'checkbox' })}
      />
      <Switch
        label="Let viewers export"
        description="Viewers can download dashboards and insights. Members always can."
        disabled={!canEdit}
        {...form.getInputProps('viewers_can_export', { type: 'checkbox' })}
      />
    </SettingsForm>
  )
}
