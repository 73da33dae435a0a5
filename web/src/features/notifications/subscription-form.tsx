import { Input, SegmentedControl, SimpleGrid, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Subscription } from '#server/features/notifications/subscriptions/schema.ts'
import { useProject } from '../../api/project.ts'
import { Choice } from '../../ui/form/choice.tsx'
import { Form } from '../../ui/form/form-dialog.tsx'
import { DashboardSelect } from '../dashboard-list/dashboard-select.tsx'
import { useSaveSubscription } from './api.ts'
import { InsightSelect } from './insight-select.tsx'
import { toHour } from './labels.ts'
import type { NotificationFormProps } from './notification-list.tsx'
import {
  newSubscription,
  type SubscriptionValues,
  toNewSubscription,
  toSubscriptionPatch,
  toSubscriptionValues,
} from './subscription-values.ts'
import { TargetFields } from './target-fields.tsx'
import { findAddressProblem } from './target-values.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: `${hour}`, label: toHour(hour) }))

export function SubscriptionForm({ item, of, onDone }: NotificationFormProps<Subscription>) {
  const save = useSaveSubscription(item?.id)
  const project = useProject()
  const isSubjectKnown = item !== undefined || of !== undefined
  const form = useForm<SubscriptionValues>({
    initialValues: item ? toSubscriptionValues(item) : newSubscription(of),
    validate: {
      dashboard: (id, { what }) =>
        what === 'dashboard' && id === null ? 'Choose a dashboard.' : null,
      insight: (id, { what }) => (what === 'insight' && id === null ? 'Choose an insight.' : null),
      target_value: findAddressProblem,
    },
  })
  const { values } = form
  const submit = form.onSubmit((sent) =>
    save.mutate(item ? toSubscriptionPatch(sent) : toNewSubscription(sent), {
      onSuccess: ({ signing_secret }) =>
        onDone(sent.target_type === 'webhook' ? signing_secret : undefined),
    }),
  )
  const { insight: _i, dashboard: _d, ...shown } = values
  return (
    <Form
      yes={item ? 'Save subscription' : 'Create subscription'}
      saving={save}
      form={isSubjectKnown ? { ...form, values: shown } : form}
      onSubmit={submit}
    >
      {!isSubjectKnown && (
        <>
          <Input.Wrapper label="Content" labelElement="div">
            <SegmentedControl
              fullWidth
              aria-label="Content"
              data={[
                { value: 'dashboard', label: 'Dashboard' },
                { value: 'insight', label: 'Insight' },
              ]}
              {...form.getInputProps('what')}
            />
          </Input.Wrapper>
          {values.what === 'dashboard' ? (
            <DashboardSelect
              label="Dashboard"
              value={values.dashboard}
              error={form.errors.dashboard}
              onChange={(id) => form.setFieldValue('dashboard', id)}
            />
          ) : (
            <InsightSelect {...form.getInputProps('insight')} />
          )}
        </>
      )}
      <TextInput
        label="Title"
        placeholder={
          item?.resource_name || of?.name || 'Defaults to the name of the dashboard or insight'
        }
        maxLength={255}
        {...form.getInputProps('title')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Choice
          label="Frequency"
          data={[
            { value: 'daily', label: 'Daily' },
            { value: 'weekly', label: 'Weekly, on Monday' },
            { value: 'monthly', label: 'Monthly, on the 1st' },
          ]}
          {...form.getInputProps('frequency')}
        />
        <Choice
          label={`Time (${project?.timezone ?? 'UTC'})`}
          data={HOURS}
          {...form.getInputProps('hour')}
        />
      </SimpleGrid>
      <TargetFields
        type={values.target_type}
        typeProps={form.getInputProps('target_type')}
        addressProps={form.getInputProps('target_value')}
      />
    </Form>
  )
}
