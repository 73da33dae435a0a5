import {
  Button,
  Checkbox,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import type { Alert } from '#server/features/notifications/alerts/schema.ts'
import { Refusal } from '../account/refusal.tsx'
import {
  type AlertValues,
  newAlert,
  toAlertErrors,
  toAlertSent,
  toAlertValues,
} from './alert-values.ts'
import { useSaveAlert } from './api.ts'
import { InsightSelect } from './insight-select.tsx'
import { LineSelect } from './line-select.tsx'
import type { NoticeFormProps } from './part.tsx'
import { TargetFields } from './target-fields.tsx'
import { requireAddress } from './target-values.ts'

const MOST_TARGETS = 10

export function AlertForm({ item, of, onDone }: NoticeFormProps<Alert>) {
  const save = useSaveAlert(item?.id)
  const form = useForm<AlertValues>({
    initialValues: item ? toAlertValues(item) : newAlert(of?.insight),
    validate: {
      insight: (value) => (value === null ? 'Choose the insight to watch.' : null),
      upper: (upper, { lower }) =>
        upper === '' && lower === '' ? 'Give at least one of the two bounds.' : null,
      targets: { address: requireAddress },
    },
  })
  const { values } = form
  const isRelative = values.condition !== 'absolute_value'
  const suffix = isRelative && values.unit === 'percentage' ? ' %' : ''
  const isInsightKnown = item !== undefined || of?.insight !== undefined
  const send = form.onSubmit((sent) =>
    save.mutate(toAlertSent(sent, item?.resource_name), {
      onSuccess: ({ signing_secret }) =>
        onDone(sent.targets.some(({ type }) => type === 'webhook') ? signing_secret : undefined),
      onError: (error) => form.setErrors(toAlertErrors(error)),
    }),
  )
  const isSaid = Object.keys(form.errors).some((name) => name !== 'insight' || !isInsightKnown)
  return (
    <form onSubmit={send}>
      <Stack>
        {!isSaid && <Refusal error={save.error} values={{}} />}
        {!isInsightKnown && (
          <InsightSelect
            description="One that is a number or a line over time."
            data-autofocus
            {...form.getInputProps('insight')}
            onChange={(insight) => form.setValues({ insight, line: '0' })} // another has other lines
          />
        )}
        <TextInput
          label="Name"
          placeholder={item?.resource_name || of?.name || 'As the insight is called'}
          maxLength={255}
          {...form.getInputProps('name')}
        />
        <LineSelect insight={values.insight} {...form.getInputProps('line')} />
        <SimpleGrid cols={{ base: 1, sm: isRelative ? 2 : 1 }}>
          <Select
            label="Tell me when"
            allowDeselect={false}
            data={[
              { value: 'absolute_value', label: 'the value is' },
              { value: 'relative_increase', label: 'it rises by' },
              { value: 'relative_decrease', label: 'it falls by' },
            ]}
            {...form.getInputProps('condition')}
          />
          {isRelative && (
            <Select
              label="Measured"
              allowDeselect={false}
              data={[
                { value: 'absolute', label: 'as a number' },
                { value: 'percentage', label: 'in per cent' },
              ]}
              {...form.getInputProps('unit')}
            />
          )}
        </SimpleGrid>
        <SimpleGrid cols={2}>
          <NumberInput label="More than" suffix={suffix} {...form.getInputProps('upper')} />
          <NumberInput label="Less than" suffix={suffix} {...form.getInputProps('lower')} />
        </SimpleGrid>
        <Checkbox
          label="Look at the day, week or hour that is not over yet"
          description="Its number still grows. You hear at once when there are many, not the day after."
          {...form.getInputProps('isOngoingSeen', { type: 'checkbox' })}
        />
        <Select
          label="Look at least"
          allowDeselect={false}
          data={[
            { value: 'hourly', label: 'every hour' },
            { value: 'daily', label: 'every day' },
            { value: 'weekly', label: 'every week' },
          ]}
          {...form.getInputProps('interval')}
        />
        {values.targets.map(({ type }, index) => (
          <TargetFields
            // biome-ignore lint/suspicious/noArrayIndexKey: a target is its place in the list
            key={index}
            type={type}
            typeProps={form.getInputProps(`targets.${index}.type`)}
            addressProps={form.getInputProps(`targets.${index}.address`)}
            onRemove={
              values.targets.length > 1 ? () => form.removeListItem('targets', index) : undefined
            }
          />
        ))}
        <Group justify="space-between">
          <Button
            variant="subtle"
            leftSection={<IconPlus size={16} />}
            disabled={values.targets.length >= MOST_TARGETS}
            onClick={() => form.insertListItem('targets', { type: 'webhook', address: '' })}
          >
            Send to another
          </Button>
          <Button type="submit" loading={save.isPending}>
            {item ? 'Save' : 'Make the alert'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
