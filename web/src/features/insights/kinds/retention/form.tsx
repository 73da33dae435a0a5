import { NumberInput, Switch } from '@mantine/core'
import type { Entity, RetentionQuery } from '#model/query-kinds/retention.schema.ts'
import { Choice } from '../../../../ui/form/choice.tsx'
import { useFieldError } from '../../editor/errors.tsx'
import { EventPicker } from '../../editor/event-picker.tsx'
import type { FormProps } from '../../editor/forms/section.tsx'
import { Section } from '../../editor/forms/section.tsx'

type RetentionFilter = NonNullable<RetentionQuery['retentionFilter']>

const TYPES = [
  { value: 'retention_first_time', label: 'First time' },
  { value: 'retention_recurring', label: 'Recurring' },
]

const PERIODS = ['Hour', 'Day', 'Week', 'Month'].map((value) => ({
  value,
  label: `${value}s`,
}))

const toEntity = (entity: Entity | null | undefined, event: string | null): Entity => ({
  ...entity,
  type: 'events',
  id: event,
  name: event ?? 'All events',
})

export default function RetentionForm({ source, onChange }: FormProps<RetentionQuery>) {
  const filter = source.retentionFilter ?? {}
  const set = (changed: Partial<RetentionFilter>) =>
    onChange({ ...source, retentionFilter: { ...filter, ...changed } })
  const countError = useFieldError('retentionFilter__totalIntervals')
  return (
    <>
      <Section title="Cohort">
        <EventPicker
          label="Performed event"
          isLabelShown
          value={filter.targetEntity?.id ?? null}
          onChange={(event) => set({ targetEntity: toEntity(filter.targetEntity, event) })}
        />
        <Choice
          label="Counted"
          data={TYPES}
          value={filter.retentionType ?? 'retention_first_time'}
          onChange={(retentionType) => set({ retentionType })}
        />
        <EventPicker
          label="Came back to perform"
          isLabelShown
          value={filter.returningEntity?.id ?? null}
          onChange={(event) => set({ returningEntity: toEntity(filter.returningEntity, event) })}
        />
      </Section>
      <Section title="Period">
        <Choice
          label="Period"
          data={PERIODS}
          value={filter.period ?? 'Day'}
          onChange={(period) => set({ period })}
        />
        <NumberInput
          label="Number of periods"
          min={2}
          max={100}
          allowDecimal={false}
          value={filter.totalIntervals ?? 11}
          error={countError}
          onChange={(count) => typeof count === 'number' && set({ totalIntervals: count })}
        />
        <Switch
          label="Cumulative: came back then or later"
          checked={filter.cumulative ?? false}
          onChange={({ currentTarget }) => set({ cumulative: currentTarget.checked })}
        />
      </Section>
    </>
  )
}
