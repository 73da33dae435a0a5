import { Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import { IconFilterPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Choice } from '../../ui/form/choice.tsx'
import { EventOrActionSelect } from '../actions/event-select.tsx'
import { FilterRow } from '../properties/filter-row.tsx'
import { NEW_FILTER } from '../properties/filters-model.ts'
import type { BehaviorOf, Period, Times } from './conditions.ts'
import { TIMES_LABELS } from './sentence.ts'

type Behavior = BehaviorOf<'did' | 'did_not' | 'stopped'>

interface BehaviorFieldsProps {
  readonly value: Behavior
  readonly onChange: (value: Behavior) => void
}

/** An event or action, how often and when it was performed, and the properties that it had. */
export function BehaviorFields({ value, onChange }: BehaviorFieldsProps) {
  const { filters } = value
  return (
    <Stack gap={6}>
      <Group>
        <EventOrActionSelect
          placeholder="Choose an event or action"
          value={value.key || undefined}
          onChange={(key = '') => onChange({ ...value, key })}
        />
      </Group>
      {value.kind === 'did' && (
        <TimesFields value={value.times} onChange={(times) => onChange({ ...value, times })} />
      )}
      {value.kind === 'stopped' && (
        <PeriodFields
          label="Before"
          value={value.before}
          onChange={(before) => onChange({ ...value, before })}
        >
          did it in the last
        </PeriodFields>
      )}
      <PeriodFields
        label="Period"
        value={value.period}
        onChange={(period) => onChange({ ...value, period })}
      >
        {value.kind === 'stopped' ? 'but not in the last' : 'in the last'}
      </PeriodFields>
      {filters.map((filter, at) => (
        <FilterRow
          // biome-ignore lint/suspicious/noArrayIndexKey: filters have no ids
          key={at}
          filter={filter}
          event={typeof value.key === 'string' ? value.key || null : null}
          types={EVENT_ONLY}
          onChange={(changed) => onChange({ ...value, filters: filters.with(at, changed) })}
          onRemove={() => onChange({ ...value, filters: filters.toSpliced(at, 1) })}
        />
      ))}
      <Group>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconFilterPlus size={14} aria-hidden />}
          onClick={() => onChange({ ...value, filters: [...filters, NEW_FILTER] })}
        >
          Add event filter
        </Button>
      </Group>
    </Stack>
  )
}

const EVENT_ONLY = ['event'] as const

const OPERATORS = (['gte', 'lte', 'eq', 'gt', 'lt'] as const).map((value) => ({
  value,
  label: TIMES_LABELS[value],
}))

interface TimesFieldsProps {
  readonly value: Times
  readonly onChange: (value: Times) => void
}

const TimesFields = ({ value, onChange }: TimesFieldsProps) => (
  <Group gap={6} wrap="nowrap">
    <Choice
      aria-label="How often"
      data={OPERATORS}
      value={value.operator === 'exact' ? 'eq' : value.operator}
      onChange={(operator) => onChange({ ...value, operator })}
      w={130}
    />
    <WholeNumber
      label="Times"
      max={1_000_000}
      value={value.operator_value}
      onChange={(operator_value) => onChange({ ...value, operator_value })}
    />
    <Text size="sm">times</Text>
  </Group>
)

const UNITS = (['hour', 'day', 'week', 'month', 'year'] as const).map((value) => ({
  value,
  label: `${value}s`,
}))

interface PeriodFieldsProps {
  readonly label: string
  readonly value: Period
  readonly onChange: (value: Period) => void
  readonly children: ReactNode
}

const PeriodFields = ({ label, value, onChange, children }: PeriodFieldsProps) => (
  <Group gap={6} wrap="nowrap">
    <Text size="sm" w={130}>
      {children}
    </Text>
    <WholeNumber
      label={`${label}: number`}
      max={10_000}
      value={value.time_value}
      onChange={(time_value) => onChange({ ...value, time_value })}
    />
    <Choice
      aria-label={`${label}: unit`}
      data={UNITS}
      value={value.time_interval}
      onChange={(time_interval) => onChange({ ...value, time_interval })}
      w={110}
    />
  </Group>
)

interface WholeNumberProps {
  readonly label: string
  readonly max: number
  readonly value: number
  readonly onChange: (value: number) => void
}

/** Keeps the last number while the field is empty, and shows it again when the field loses the focus. */
function WholeNumber({ label, max, value, onChange }: WholeNumberProps) {
  const [isEmpty, setEmpty] = useState(false)
  return (
    <NumberInput
      aria-label={label}
      w={90}
      min={1}
      max={max}
      clampBehavior="strict"
      allowDecimal={false}
      allowNegative={false}
      value={isEmpty ? '' : value}
      onChange={(next) => {
        setEmpty(next === '')
        if (typeof next === 'number' && next >= 1) onChange(next)
      }}
      onBlur={() => setEmpty(false)}
    />
  )
}
