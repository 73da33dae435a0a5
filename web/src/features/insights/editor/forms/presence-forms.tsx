import { Checkbox, Group, NumberInput, Select, Stack } from '@mantine/core'
import type { LifecycleQuery } from '#model/query-kinds/lifecycle.schema.ts'
import type { Criteria, StickinessQuery } from '#model/query-kinds/stickiness.schema.ts'
import { SeriesList } from '../series/series-list.tsx'
import type { FormProps } from './section.tsx'
import { Section } from './section.tsx'

const STATUSES = [
  { value: 'new', label: 'New: first seen' },
  { value: 'returning', label: 'Returning: active in the previous interval' },
  { value: 'resurrecting', label: 'Resurrecting: back after inactivity' },
  { value: 'dormant', label: 'Dormant: inactive since the previous interval' },
] as const

type Status = (typeof STATUSES)[number]['value']

export function LifecycleForm({ source, onChange }: FormProps<LifecycleQuery>) {
  const shown = source.lifecycleFilter?.toggledLifecycles ?? STATUSES.map(({ value }) => value)
  return (
    <>
      <Section title="Event" about="Counts as activity.">
        <SeriesList
          series={source.series}
          words={{ one: 'event', mark: 'none' }}
          most={1}
          onChange={(series) => onChange({ ...source, series })}
        />
      </Section>
      <Section title="Show">
        <Checkbox.Group
          aria-label="Lifecycle stages"
          value={[...shown]}
          onChange={(chosen) =>
            onChange({
              ...source,
              lifecycleFilter: {
                ...source.lifecycleFilter,
                toggledLifecycles: chosen.length === STATUSES.length ? null : (chosen as Status[]),
              },
            })
          }
        >
          <Stack gap="xs">
            {STATUSES.map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Section>
    </>
  )
}

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

export function StickinessForm({ source, onChange }: FormProps<StickinessQuery>) {
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
        <Select
          label="Intervals with activity"
          data={COUNTINGS}
          value={filter.computedAs ?? 'non_cumulative'}
          allowDeselect={false}
          onChange={(way) => set({ computedAs: way as StickinessFilter['computedAs'] })}
        />
        <Group gap="xs" grow align="flex-end" wrap="nowrap">
          <Select
            label="Count an interval if it has"
            data={COMPARISONS}
            value={criteria.operator}
            allowDeselect={false}
            onChange={(operator) =>
              set({
                stickinessCriteria: { ...criteria, operator: operator as Criteria['operator'] },
              })
            }
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
