import { Group, Select } from '@mantine/core'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import { useFieldError } from '../errors.tsx'
import { PropertyPicker } from '../pickers.tsx'
import { needsProperty, seriesLetter } from '../query-model.ts'

const MATHS = [
  {
    group: 'Count',
    items: [
      { value: 'total', label: 'Total count' },
      { value: 'dau', label: 'Unique users' },
      { value: 'weekly_active', label: 'Weekly active users' },
      { value: 'monthly_active', label: 'Monthly active users' },
      { value: 'unique_session', label: 'Unique sessions' },
      { value: 'first_time_for_user', label: 'First time for user' },
    ],
  },
  {
    group: 'Property value',
    items: [
      { value: 'sum', label: 'Sum' },
      { value: 'avg', label: 'Average' },
      { value: 'min', label: 'Minimum' },
      { value: 'max', label: 'Maximum' },
      { value: 'median', label: 'Median' },
      { value: 'p75', label: '75th percentile' },
      { value: 'p90', label: '90th percentile' },
      { value: 'p95', label: '95th percentile' },
      { value: 'p99', label: '99th percentile' },
    ],
  },
]

interface MathFieldsProps {
  readonly node: EventsNode
  readonly at: number
  readonly onChange: (node: EventsNode) => void
}

/** Chooses the measure of a series. */
export function MathFields({ node, at, onChange }: MathFieldsProps) {
  const mathError = useFieldError(`series__${at}__math`)
  const propertyError = useFieldError(`series__${at}__math_property`)
  return (
    <Group gap="xs" grow wrap="nowrap" align="flex-start">
      <Select
        aria-label={`Measure of series ${seriesLetter(at)}`}
        data={MATHS}
        value={node.math ?? 'total'}
        allowDeselect={false}
        maxDropdownHeight={360}
        error={mathError}
        onChange={(math) => onChange({ ...node, math: math as EventsNode['math'] })}
      />
      {needsProperty(node) && (
        <PropertyPicker
          label={`Property of series ${seriesLetter(at)}`}
          value={node.math_property ?? null}
          event={node.event}
          error={propertyError}
          onChange={(property) => onChange({ ...node, math_property: property })}
        />
      )}
    </Group>
  )
}
