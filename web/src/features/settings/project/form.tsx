import {
  Button,
  Group,
  Input,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Project } from '#server/features/people/projects/schema.ts'
import { notify } from '../../../ui/notify.ts'
import { Refusal, toFieldErrors } from '../../account/refusal.tsx'
import { timeZones } from '../shared/time-zones.ts'
import { usePatchProject } from './api.ts'

interface ProjectFormProps {
  readonly project: Project
  readonly mayChange: boolean
}

const USUAL_DAYS = 365

export function ProjectForm({ project, mayChange }: ProjectFormProps) {
  const patch = usePatchProject(project.id)
  const form = useForm({
    initialValues: {
      name: project.name,
      timezone: project.timezone,
      week_start_day: project.week_start_day as 0 | 1,
      retention_days: project.retention_days,
    },
  })
  const { retention_days } = form.values
  const save = form.onSubmit((values) =>
    patch.mutate(values, {
      onSuccess: () => {
        form.resetDirty()
        notify({ message: 'Saved.' })
      },
      onError: (error) => form.setErrors(toFieldErrors(error)),
    }),
  )
  return (
    <form onSubmit={save}>
      <Stack>
        <Refusal error={patch.error} values={form.values} />
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <TextInput
            label="Name"
            required
            maxLength={400}
            disabled={!mayChange}
            {...form.getInputProps('name')}
          />
          <Select
            label="Time zone"
            description="Where a day begins in charts."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            searchable
            allowDeselect={false}
            disabled={!mayChange}
            limit={100}
            data={timeZones()}
            {...form.getInputProps('timezone')}
          />
          <Input.Wrapper label="Weeks begin on" labelElement="div">
            <div>
              <SegmentedControl
                aria-label="Weeks begin on"
                disabled={!mayChange}
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
              description="They are deleted for good, every hour."
              disabled={!mayChange}
              checked={retention_days !== null}
              onChange={(event) =>
                form.setFieldValue(
                  'retention_days',
                  event.currentTarget.checked ? (project.retention_days ?? USUAL_DAYS) : null,
                )
              }
            />
            {retention_days !== null && (
              <NumberInput
                label="Days to keep"
                min={1}
                max={36_500}
                disabled={!mayChange}
                {...form.getInputProps('retention_days')}
              />
            )}
          </Stack>
        </SimpleGrid>
        {mayChange && (
          <Group>
            <Button type="submit" loading={patch.isPending} disabled={!form.isDirty()}>
              Save
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
