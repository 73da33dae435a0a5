import { Button, Group, NumberInput, Radio, Stack, Text, TextInput, Title } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { ScheduleSettings } from '#server/features/import-apps/schedules/schema.ts'
import { notify } from '../../../ui/dialog/notify.ts'
import { Choice } from '../../../ui/form/choice.tsx'
import { FormError } from '../../../ui/form/form-error.tsx'
import { timeZones } from '../../../ui/form/time-zones.ts'
import { Card } from '../../../ui/page/card.tsx'
import { QueryContent } from '../../../ui/page/states.tsx'
import { TimeAgo } from '../../../ui/page/time-ago.tsx'
import { browserZone, useZone } from '../../../ui/page/zone.ts'
import { appManifest, jobNames, scheduleLabels } from '../status.ts'
import { usePatchSchedule, useSchedule } from './api.ts'
import { type ScheduleValues, toSettings, toValues, UNITS } from './schedule-values.ts'

type Form = UseFormReturnType<ScheduleValues>

export function ScheduleTab({ config }: { readonly config: PipelineConfig }) {
  const schedule = useSchedule(config.id)
  return (
    <QueryContent query={schedule}>
      {(settings) => <ScheduleForm key={config.id} config={config} settings={settings} />}
    </QueryContent>
  )
}

interface ScheduleFormProps {
  readonly config: PipelineConfig
  readonly settings: ScheduleSettings
}

function ScheduleForm({ config, settings }: ScheduleFormProps) {
  const patch = usePatchSchedule(config.id)
  const zone = useZone() ?? browserZone()
  const form = useForm<ScheduleValues>({ initialValues: toValues(settings, zone) })
  const save = form.onSubmit((values) =>
    patch.mutate(toSettings(values), {
      onSuccess: (saved) => {
        form.resetDirty()
        notify({
          message: saved.next_run_at ? 'Schedule saved.' : 'Schedule saved. No run is due.',
        })
      },
    }),
  )
  const { kind } = form.values
  return (
    <Card p="lg" maw={720}>
      <form onSubmit={save} noValidate aria-label="Schedule">
        <Stack>
          <Group justify="space-between">
            <Title order={2}>Schedule</Title>
            <NextRun config={config} settings={settings} />
          </Group>
          <FormError error={patch.error} form={form} />
          <Radio.Group label="Runs" {...form.getInputProps('kind')}>
            <Stack gap="xs" mt={4}>
              <Radio value="app" label={toAppLabel(config)} />
              <Radio value="every" label="At a regular interval" />
              <Radio value="cron" label="At set times (cron)" />
              <Radio value="manual" label="Only when someone starts it" />
            </Stack>
          </Radio.Group>
          {kind === 'every' && (
            <Period form={form} label="Every" count="schedule__every" unit="unit" />
          )}
          {kind === 'cron' && <CronFields form={form} />}
          {(kind === 'every' || kind === 'cron') && <JobField config={config} form={form} />}
          <Period
            form={form}
            label="Late after"
            description="Without a successful run for this long, the import counts as late. Empty: a minute after its second scheduled run."
            count="expected_every"
            unit="expected_unit"
          />
          <RetryFields form={form} />
          <Group>
            <Button type="submit" loading={patch.isPending} disabled={!form.isDirty()}>
              Save schedule
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}

function NextRun({ config, settings: { next_run_at } }: ScheduleFormProps) {
  if (!config.enabled) return <Text c="dimmed">Disabled: no run is due.</Text>
  if (!next_run_at) return <Text c="dimmed">No run is due.</Text>
  return (
    <Text>
      Next run <TimeAgo time={next_run_at} />
    </Text>
  )
}

function toAppLabel(config: PipelineConfig): string {
  const times = scheduleLabels(appManifest(config)?.capabilities.scheduled_tasks)
  return times.length > 0 ? `As the app says: ${times.join(' and ')}` : 'As the app says: never'
}

interface PeriodProps {
  readonly form: Form
  readonly label: string
  readonly description?: string
  readonly count: 'schedule__every' | 'expected_every'
  readonly unit: 'unit' | 'expected_unit'
}

const Period = ({ form, label, description, count, unit }: PeriodProps) => (
  <Group align="flex-end" gap="xs">
    <NumberInput
      flex={1}
      label={label}
      description={description}
      min={1}
      max={44_640}
      allowDecimal={false}
      {...form.getInputProps(count)}
    />
    <Choice aria-label={`${label}: unit`} w={120} data={[...UNITS]} {...form.getInputProps(unit)} />
  </Group>
)

const CronFields = ({ form }: { readonly form: Form }) => (
  <Group align="flex-start" gap="sm" grow>
    <TextInput
      label="Cron expression"
      description="Minute, hour, day of the month, month, weekday: 0 6 * * 1-5 is 06:00 from Monday to Friday."
      {...form.getInputProps('schedule__cron')}
    />
    <Choice
      label="Time zone"
      description="A time of day that a change of clocks skips or repeats runs once."
      searchable
      limit={100}
      data={timeZones()}
      {...form.getInputProps('schedule__time_zone')}
    />
  </Group>
)

const RetryFields = ({ form }: { readonly form: Form }) => (
  <Group align="flex-end" gap="xs">
    <NumberInput
      flex={1}
      label="Retries"
      description="Repeats a run that failed temporarily: the service was busy or could not be reached. Empty: never."
      min={1}
      max={10}
      allowDecimal={false}
      {...form.getInputProps('retry__times')}
    />
    <Choice
      aria-label="Time between retries"
      w={220}
      data={[
        { value: 'exponential', label: 'after 10, 20, 40 … s' },
        { value: 'constant', label: 'every 10 s' },
      ]}
      {...form.getInputProps('retry__backoff')}
    />
  </Group>
)

/** Chooses what to run, if there is a choice. */
function JobField({ config, form }: { readonly config: PipelineConfig; readonly form: Form }) {
  const jobs = jobNames(config)
  const hasTasks = (appManifest(config)?.capabilities.scheduled_tasks ?? []).length > 0
  const data = [...(hasTasks ? [{ value: '', label: "The app's scheduled tasks" }] : []), ...jobs]
  if (data.length < 2) return null
  return <Choice label="What runs" data={data} {...form.getInputProps('schedule__job')} />
}
