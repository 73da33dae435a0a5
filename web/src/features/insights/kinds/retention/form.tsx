import { NumberInput, Switch } from '@mantine/core'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import type { Entity, RetentionQuery } from '#model/query-kinds/retention.schema.ts'
import { toEntity, toEntityNode } from '#model/query-kinds/retention.ts'
import { Choice } from '../../../../ui/form/choice.tsx'
import { EventPicker } from '../../../actions/event-picker.tsx'
import { useFieldError } from '../../editor/errors.tsx'
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

const withNode = (entity: Entity | null | undefined, node: EventsNode): Entity => ({
  ...entity,
  ...toEntity(node),
  kind: null,
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
          value={toEntityNode(filter.targetEntity)}
          onChange={(node) => set({ targetEntity: withNode(filter.targetEntity, node) })}
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
          value={toEntityNode(filter.returningEntity)}
          onChange={(node) => set({ returningEntity: withNode(filter.returningEntity, node) })}
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
