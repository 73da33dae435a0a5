import { Group, Select } from '@mantine/core'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import { PropertyPicker } from '../pickers.tsx'
import { useFieldProblem } from '../problems.tsx'
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
    group: 'Of a property',
    items: [
      { value: 'sum', label: 'Sum' },
      { value: 'avg', label: 'Average' },
      { value: 'min', label: 'Smallest' },
      { value: 'max', label: 'Largest' },
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

/** What of the events is counted. */
export function MathFields({ node, at, onChange }: MathFieldsProps) {
  const mathProblem = useFieldProblem(`series__${at}__math`)
  const propertyProblem = useFieldProblem(`series__${at}__math_property`)
  return (
    <Group gap="xs" grow wrap="nowrap" align="flex-start">
      <Select
        aria-label={`Measure of series ${seriesLetter(at)}`}
        data={MATHS}
        value={node.math ?? 'total'}
        allowDeselect={false}
        maxDropdownHeight={360}
        error={mathProblem}
        onChange={(math) => onChange({ ...node, math: math as EventsNode['math'] })}
      />
      {needsProperty(node) && (
        <PropertyPicker
          label={`Property of series ${seriesLetter(at)}`}
          value={node.math_property ?? null}
          event={node.event}
          error={propertyProblem}
          onChange={(property) => onChange({ ...node, math_property: property })}
        />
      )}
    </Group>
  )
}
