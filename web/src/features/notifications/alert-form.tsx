import { Button, Checkbox, NumberInput, SimpleGrid, Text, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import type { Alert } from '#server/features/notifications/alerts/schema.ts'
import { Choice } from '../../ui/form/choice.tsx'
import { Form } from '../../ui/form/form-dialog.tsx'
import {
  type AlertValues,
  isRelative,
  newAlert,
  toAlertErrors,
  toAlertInput,
  toAlertValues,
} from './alert-values.ts'
import { useSaveAlert } from './api.ts'
import { InsightSelect } from './insight-select.tsx'
import type { NotificationFormProps } from './notification-list.tsx'
import { SeriesSelect } from './series-select.tsx'
import { TargetFields } from './target-fields.tsx'
import { findAddressProblem, NEW_TARGET } from './target-values.ts'

const MAX_TARGETS = 10

const CONDITIONS = [
  { value: 'absolute_value', label: 'value is' },
  { value: 'relative_increase', label: 'value rises by' },
  { value: 'relative_decrease', label: 'value falls by' },
  { value: 'anomaly', label: 'value is unusual' },
]

const SENSITIVITIES = [
  { value: 'low', label: 'only large deviations' },
  { value: 'medium', label: 'clear deviations' },
  { value: 'high', label: 'also small deviations' },
]

const UNITS = [
  { value: 'absolute', label: 'number' },
  { value: 'percentage', label: 'percent' },
]

const INTERVALS = [
  { value: 'hourly', label: 'every hour' },
  { value: 'daily', label: 'every day' },
  { value: 'weekly', label: 'every week' },
  { value: 'monthly', label: 'every month' },
]

export function AlertForm({ item, of, onDone }: NotificationFormProps<Alert>) {
  const save = useSaveAlert(item?.id)
  const form = useForm<AlertValues>({
    initialValues: item ? toAlertValues(item) : newAlert(of?.insight),
    validate: {
      insight: (value) => (value === null ? 'Choose an insight.' : null),
      upper: (upper, { condition, lower }) =>
        condition !== 'anomaly' && upper === '' && lower === '' ? 'Set at least one bound.' : null,
      targets: { address: findAddressProblem },
    },
  })
  const { values } = form
  const subscribers = item?.subscribed_users ?? []
  const isInsightKnown = item !== undefined || of?.insight !== undefined
  const submit = form.onSubmit((values) =>
    save.mutate(toAlertInput(values, item?.resource_name), {
      onSuccess: ({ signing_secret }) =>
        onDone(values.targets.some(({ type }) => type === 'webhook') ? signing_secret : undefined),
      onError: (error) => form.setErrors(toAlertErrors(error)),
    }),
  )
  const hasFieldError = Object.keys(form.errors).some(
    (name) => name !== 'insight' || !isInsightKnown,
  )
  return (
    <Form
      yes={item ? 'Save alert' : 'Create alert'}
      saving={{ isPending: save.isPending, error: hasFieldError ? null : save.error }}
      onSubmit={submit}
      extra={
        <Button
          variant="subtle"
          leftSection={<IconPlus size={16} />}
          disabled={values.targets.length >= MAX_TARGETS}
          onClick={() => form.insertListItem('targets', NEW_TARGET)}
        >
          Add recipient
        </Button>
      }
    >
      {!isInsightKnown && (
        <InsightSelect
          forAlert
          description="Must show a number or a line over time."
          data-autofocus
          {...form.getInputProps('insight')}
          onChange={(insight) => form.setValues({ insight, line: '0' })} // lines differ per insight
        />
      )}
      <TextInput
        label="Name"
        placeholder={item?.resource_name || of?.name || "Defaults to the insight's name"}
        maxLength={255}
        {...form.getInputProps('name')}
      />
      <SeriesSelect insight={values.insight} {...form.getInputProps('line')} />
      <Threshold form={form} />
      {values.condition !== 'anomaly' && (
        <Checkbox
          label="Include the current period"
          description="Alerts before the hour, day or week ends."
          {...form.getInputProps('includesCurrentPeriod', { type: 'checkbox' })}
        />
      )}
      <Choice label="Check" data={INTERVALS} {...form.getInputProps('interval')} />
      <Checkbox
        label="Skip weekends"
        description="No checks on Saturday and Sunday."
        {...form.getInputProps('skipsWeekends', { type: 'checkbox' })}
      />
      {values.targets.map(({ type }, index) => (
        <TargetFields
          // biome-ignore lint/suspicious/noArrayIndexKey: targets are identified by position
          key={index}
          type={type}
          typeProps={form.getInputProps(`targets.${index}.type`)}
          addressProps={form.getInputProps(`targets.${index}.address`)}
          formatProps={form.getInputProps(`targets.${index}.format`)}
          onRemove={
            values.targets.length > 1 || subscribers.length > 0
              ? () => form.removeListItem('targets', index)
              : undefined
          }
        />
      ))}
      {subscribers.length > 0 && (
        <Text size="sm" c="dimmed">
          Also notifies {subscribers.map(({ email }) => email).join(', ')}.
        </Text>
      )}
    </Form>
  )
}

/** The condition, and the bounds of the value in the unit that they are given in. */
function Threshold({ form }: { readonly form: UseFormReturnType<AlertValues> }) {
  const { condition, unit } = form.values
  const isChange = isRelative(condition)
  const suffix = isChange && unit === 'percentage' ? '%' : ''
  const choice = (
    <Choice label="Alert when" data={CONDITIONS} {...form.getInputProps('condition')} />
  )
  if (condition === 'anomaly') {
    return (
      <>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {choice}
          <Choice label="Sensitivity" data={SENSITIVITIES} {...form.getInputProps('sensitivity')} />
        </SimpleGrid>
        <Text size="sm" c="dimmed">
          Compares each complete hour, day or week with those before it: an hour with the same hour
          of the week, a day with the same weekday.
        </Text>
      </>
    )
  }
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: isChange ? 2 : 1 }}>
        {choice}
        {isChange && <Choice label="Unit" data={UNITS} {...form.getInputProps('unit')} />}
      </SimpleGrid>
      <SimpleGrid cols={2}>
        <NumberInput label="More than" suffix={suffix} {...form.getInputProps('upper')} />
        <NumberInput label="Less than" suffix={suffix} {...form.getInputProps('lower')} />
      </SimpleGrid>
    </>
  )
}
