import { NumberInput, Select, Switch } from '@mantine/core'
import type { Entity, Period, RetentionQuery } from '#model/query-kinds/retention.schema.ts'
import { EventPicker } from '../pickers.tsx'
import { useFieldProblem } from '../problems.tsx'
import type { FormProps } from './form.ts'
import { Section } from './section.tsx'

type RetentionFilter = NonNullable<RetentionQuery['retentionFilter']>

const TYPES = [
  { value: 'retention_first_time', label: 'For the first time ever' },
  { value: 'retention_recurring', label: 'At any time' },
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

export function RetentionForm({ source, onChange }: FormProps<RetentionQuery>) {
  const filter = source.retentionFilter ?? {}
  const set = (changed: Partial<RetentionFilter>) =>
    onChange({ ...source, retentionFilter: { ...filter, ...changed } })
  const countProblem = useFieldProblem('retentionFilter__totalIntervals')
  return (
    <>
      <Section title="Who">
        <EventPicker
          label="People who did"
          isLabelShown
          value={filter.targetEntity?.id ?? null}
          onChange={(event) => set({ targetEntity: toEntity(filter.targetEntity, event) })}
        />
        <Select
          label="When it counts"
          data={TYPES}
          value={filter.retentionType ?? 'retention_first_time'}
          allowDeselect={false}
          onChange={(type) => set({ retentionType: type as RetentionFilter['retentionType'] })}
        />
        <EventPicker
          label="and came back to do"
          isLabelShown
          value={filter.returningEntity?.id ?? null}
          onChange={(event) => set({ returningEntity: toEntity(filter.returningEntity, event) })}
        />
      </Section>
      <Section title="Over time">
        <Select
          label="Counted in"
          data={PERIODS}
          value={filter.period ?? 'Day'}
          allowDeselect={false}
          onChange={(period) => set({ period: period as Period })}
        />
        <NumberInput
          label="How many of them"
          min={2}
          max={100}
          allowDecimal={false}
          value={filter.totalIntervals ?? 11}
          error={countProblem}
          onChange={(count) => typeof count === 'number' && set({ totalIntervals: count })}
        />
        <Switch
          label="Count who came back then or later"
          checked={filter.cumulative ?? false}
          onChange={({ currentTarget }) => set({ cumulative: currentTarget.checked })}
        />
      </Section>
    </>
  )
}
