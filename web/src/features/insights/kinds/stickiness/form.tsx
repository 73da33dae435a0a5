import { Group, NumberInput } from '@mantine/core'
import type { Criteria, StickinessQuery } from '#model/query-kinds/stickiness.schema.ts'
import { Choice } from '../../../../ui/form/choice.tsx'
import type { FormProps } from '../../editor/forms/section.tsx'
import { Section } from '../../editor/forms/section.tsx'
import { SeriesList } from '../../editor/series/series-list.tsx'

type StickinessFilter = NonNullable<StickinessQuery['stickinessFilter']>

const COUNTINGS = [
  { value: 'non_cumulative', label: 'Exactly this many' },
  { value: 'cumulative', label: 'This many or more' },
]

const COMPARISONS = [
  { value: 'gte', label: 'at least' },
  { value: 'lte', label: 'at most' },
  { value: 'exact', label: 'exactly' },
]

export default function StickinessForm({ source, onChange }: FormProps<StickinessQuery>) {
  const filter = source.stickinessFilter ?? {}
  const criteria: Criteria = filter.stickinessCriteria ?? { operator: 'gte', value: 1 }
  const set = (changed: Partial<StickinessFilter>) =>
    onChange({ ...source, stickinessFilter: { ...filter, ...changed } })
  return (
    <>
      <Section title="Series" about="Counts as activity.">
        <SeriesList
          series={source.series}
          words={{ one: 'series', mark: 'letter' }}
          most={26}
          onChange={(series) => onChange({ ...source, series })}
        />
      </Section>
      <Section title="Counting">
        <Choice
          label="Intervals with activity"
          data={COUNTINGS}
          value={filter.computedAs ?? 'non_cumulative'}
          onChange={(computedAs) => set({ computedAs })}
        />
        <Group gap="xs" grow align="flex-end" wrap="nowrap">
          <Choice
            label="Count an interval if it has"
            data={COMPARISONS}
            value={criteria.operator}
            onChange={(operator) => set({ stickinessCriteria: { ...criteria, operator } })}
          />
          <NumberInput
            aria-label="Events in an interval"
            suffix={criteria.value === 1 ? ' event' : ' events'}
            min={1}
            allowDecimal={false}
            value={criteria.value}
            onChange={(value) =>
              typeof value === 'number' && set({ stickinessCriteria: { ...criteria, value } })
            }
          />
        </Group>
      </Section>
    </>
  )
}
