import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { notify } from '../../../ui/dialog/notify.ts'
import { Choice } from '../../../ui/form/choice.tsx'
import { DayInput } from '../../../ui/form/day-input.tsx'
import { FormError } from '../../../ui/form/form-error.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { useStartBackfill } from './api.ts'

const CHUNKS = [
  { value: '1h', label: '1 hour' },
  { value: '1d', label: '1 day' },
  { value: '7d', label: '7 days' },
  { value: '4w', label: '4 weeks' },
]

const DAY_MS = 86_400_000

/** Today is left to the runs of the schedule. */
const yesterday = (): string => new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)

/** The API excludes the end. */
const dayAfter = (day: string): string =>
  new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)

export function BackfillForm({ config }: { readonly config: PipelineConfig }) {
  const start = useStartBackfill(config.id)
  const form = useForm({ initialValues: { from: '', to: '', chunk: '1d' } })
  const { from, to } = form.values
  const submit = form.onSubmit((values) =>
    start.mutate(
      { ...values, to: dayAfter(values.to) },
      {
        onSuccess: () => {
          form.reset()
          notify({ message: 'Backfill started.' })
        },
      },
    ),
  )
  return (
    <Card p="lg">
      <form onSubmit={submit} noValidate aria-label="Backfill">
        <Stack>
          <Title order={2}>Import the past</Title>
          <Text c="dimmed">
            Imports each window once, from the oldest on, between the scheduled runs. The state of
            the import stays as it is.
          </Text>
          <FormError error={start.error} form={form} />
          <Group align="flex-start" grow>
            <DayInput
              label="First day"
              maxDate={to || yesterday()}
              value={from}
              error={form.errors.from}
              onDay={(day) => form.setFieldValue('from', day)}
            />
            <DayInput
              label="Last day"
              minDate={from}
              maxDate={yesterday()}
              value={to}
              error={form.errors.to}
              onDay={(day) => form.setFieldValue('to', day)}
            />
            <Choice label="Window" data={CHUNKS} {...form.getInputProps('chunk')} />
          </Group>
          <Group>
            <Button
              type="submit"
              loading={start.isPending}
              disabled={!config.enabled || from === '' || to === ''}
            >
              Start backfill
            </Button>
            {!config.enabled && <Text c="dimmed">Enable the import app first.</Text>}
          </Group>
        </Stack>
      </form>
    </Card>
  )
}
