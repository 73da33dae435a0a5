import { Group, NumberInput } from '@mantine/core'
import type { FunnelsFilter, FunnelsQuery } from '#model/query-kinds/funnels.schema.ts'
import { Choice } from '../../../../ui/form/choice.tsx'
import { BreakdownSection } from '../../editor/breakdown/breakdown-section.tsx'
import { useFieldError } from '../../editor/errors.tsx'
import type { FormProps } from '../../editor/forms/section.tsx'
import { Section } from '../../editor/forms/section.tsx'
import { SeriesList } from '../../editor/series/series-list.tsx'

const ORDERS = [
  { value: 'ordered', label: 'Sequential' },
  { value: 'strict', label: 'Strict order' },
  { value: 'unordered', label: 'Any order' },
]

const VIEWS = [
  { value: 'steps', label: 'Steps' },
  { value: 'time_to_convert', label: 'Time to convert' },
  { value: 'trends', label: 'Conversion over time' },
]

const LAYOUTS = [
  { value: 'vertical', label: 'Columns' },
  { value: 'horizontal', label: 'Bars' },
]

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month'].map((value) => ({
  value,
  label: `${value}s`,
}))

export default function FunnelForm({ source, onChange }: FormProps<FunnelsQuery>) {
  const filter = source.funnelsFilter ?? {}
  const set = (changed: Partial<FunnelsFilter>) =>
    onChange({ ...source, funnelsFilter: { ...filter, ...changed } })
  const windowError = useFieldError('funnelsFilter__funnelWindowInterval')
  return (
    <>
      <Section title="Steps">
        <SeriesList
          series={source.series}
          words={{ one: 'step', mark: 'number' }}
          least={2}
          most={20}
          onChange={(series) => onChange({ ...source, series })}
        />
      </Section>
      <Section title="Conversion">
        <Choice
          label="Order"
          data={ORDERS}
          value={filter.funnelOrderType ?? 'ordered'}
          onChange={(funnelOrderType) => set({ funnelOrderType })}
        />
        <Group gap="xs" grow align="flex-end" wrap="nowrap">
          <NumberInput
            label="Conversion window"
            min={1}
            max={100_000}
            allowDecimal={false}
            value={filter.funnelWindowInterval ?? 14}
            error={windowError}
            onChange={(length) =>
              typeof length === 'number' && set({ funnelWindowInterval: length })
            }
          />
          <Choice
            aria-label="Conversion window unit"
            data={UNITS}
            value={filter.funnelWindowIntervalUnit ?? 'day'}
            onChange={(unit) => set({ funnelWindowIntervalUnit: unit })}
          />
        </Group>
        <Choice
          label="Show"
          data={VIEWS}
          value={filter.funnelVizType ?? 'steps'}
          onChange={(funnelVizType) => set({ funnelVizType })}
        />
        {(filter.funnelVizType ?? 'steps') === 'steps' && (
          <Choice
            label="Layout"
            data={LAYOUTS}
            value={filter.layout ?? 'vertical'}
            onChange={(layout) => set({ layout })}
          />
        )}
      </Section>
      {filter.funnelVizType !== 'time_to_convert' && (
        <BreakdownSection source={source} onChange={onChange} />
      )}
    </>
  )
}
