import { Checkbox, Stack } from '@mantine/core'
import type { LifecycleQuery } from '#model/query-kinds/lifecycle.schema.ts'
import type { FormProps } from '../../editor/forms/section.tsx'
import { Section } from '../../editor/forms/section.tsx'
import { SeriesList } from '../../editor/series/series-list.tsx'

const STATUSES = [
  { value: 'new', label: 'New: first seen' },
  { value: 'returning', label: 'Returning: active in the previous interval' },
  { value: 'resurrecting', label: 'Resurrecting: back after inactivity' },
  { value: 'dormant', label: 'Dormant: inactive since the previous interval' },
] as const

type Status = (typeof STATUSES)[number]['value']

export default function LifecycleForm({ source, onChange }: FormProps<LifecycleQuery>) {
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
