import { Button, Group, NumberInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { AlertWithSecret } from '../../../../../src/features/alerts/schema.ts'
import { Refusal } from '../../account/refusal.tsx'
import { useCreateAlert, useInsights } from './api.ts'
import { type AlertValues, toAlertErrors, toAlertSent } from './form-values.ts'

interface AlertFormProps {
  readonly onDone: (alert: AlertWithSecret) => void
}

export function AlertForm({ onDone }: AlertFormProps) {
  const create = useCreateAlert()
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search, 200)
  const insights = useInsights(asked)
  const form = useForm<AlertValues>({
    initialValues: {
      insight: null,
      condition: 'absolute_value',
      unit: 'absolute',
      upper: '',
      lower: '',
      interval: 'hourly',
      target: 'webhook',
      address: '',
    },
    validate: {
      insight: (value) => (value === null ? 'Choose the insight to watch.' : null),
      upper: (upper, { lower }) =>
        upper === '' && lower === '' ? 'Give at least one of the two bounds.' : null,
      address: (value) => (value.trim() === '' ? 'Where shall it be sent?' : null),
    },
  })
  const { values } = form
  const isRelative = values.condition !== 'absolute_value'
  const suffix = isRelative && values.unit === 'percentage' ? ' %' : ''
  const make = form.onSubmit((sent) =>
    create.mutate(toAlertSent(sent), {
      onSuccess: onDone,
      onError: (error) => form.setErrors(toAlertErrors(error)),
    }),
  )
  return (
    <form onSubmit={make}>
      <Stack>
        {Object.keys(form.errors).length === 0 && <Refusal error={create.error} values={{}} />}
        <Select
          label="Insight"
          placeholder="Search your insights"
          description="One that is a number or a line over time."
          searchable
          data-autofocus
          nothingFoundMessage={insights.isPending ? 'Looking…' : 'No such insight.'}
          data={(insights.data?.results ?? []).map(({ id, name, derived_name }) => ({
            value: `${id}`,
            label: name || derived_name || `Insight ${id}`,
          }))}
          filter={({ options }) => options}
          onSearchChange={setSearch}
          {...form.getInputProps('insight')}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
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
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NumberInput label="More than" suffix={suffix} {...form.getInputProps('upper')} />
          <NumberInput label="Less than" suffix={suffix} {...form.getInputProps('lower')} />
        </SimpleGrid>
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
        <Group align="flex-start" gap="sm">
          <Select
            label="Send to"
            w={140}
            allowDeselect={false}
            data={[
              { value: 'webhook', label: 'a webhook' },
              { value: 'email', label: 'an e-mail' },
            ]}
            {...form.getInputProps('target')}
          />
          <TextInput
            label={values.target === 'webhook' ? 'URL' : 'E-mail'}
            flex={1}
            miw={200}
            placeholder={
              values.target === 'webhook' ? 'https://example.com/hook' : 'ann@example.com'
            }
            {...form.getInputProps('address')}
          />
        </Group>
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            Make the alert
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
