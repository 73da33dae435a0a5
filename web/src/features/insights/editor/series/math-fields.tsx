import { Group } from '@mantine/core'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import type { GroupType } from '#server/features/events/groups/schema.ts'
import { Choice } from '../../../../ui/form/choice.tsx'
import { useGroupTypes } from '../../../groups/api.ts'
import type { PropertyRef } from '../../../properties/filters-model.ts'
import { PropertyPicker } from '../../../properties/property-picker.tsx'
import { useFieldError } from '../errors.tsx'
import { needsProperty, seriesLetter } from '../query-model.ts'

/** Precedes the index of a type of groups in a choice. */
const GROUPS = 'unique_group:'

const toMaths = (types: readonly GroupType[]) => [
  {
    group: 'Count',
    items: [
      { value: 'total', label: 'Total count' },
      { value: 'dau', label: 'Unique users' },
      { value: 'weekly_active', label: 'Weekly active users' },
      { value: 'monthly_active', label: 'Monthly active users' },
      { value: 'unique_session', label: 'Unique sessions' },
      { value: 'first_time_for_user', label: 'First time for user' },
      ...types.map(({ group_type_index, name_plural, group_type }) => ({
        value: `${GROUPS}${group_type_index}`,
        label: name_plural ? `Unique ${name_plural}` : `Unique groups (${group_type})`,
      })),
    ],
  },
  {
    group: 'Property value',
    items: [
      { value: 'sum', label: 'Sum' },
      { value: 'avg', label: 'Average' },
      { value: 'min', label: 'Minimum' },
      { value: 'max', label: 'Maximum' },
      { value: 'p25', label: '25th percentile' },
      { value: 'median', label: 'Median' },
      { value: 'p75', label: '75th percentile' },
      { value: 'p90', label: '90th percentile' },
      { value: 'p95', label: '95th percentile' },
      { value: 'p99', label: '99th percentile' },
    ],
  },
]

const toChoice = ({ math, math_group_type_index }: EventsNode): string =>
  math === 'unique_group' ? `${GROUPS}${math_group_type_index}` : (math ?? 'total')

/** Only a measure of groups has the index of their type. */
function withMath({ math_group_type_index: _, ...node }: EventsNode, choice: string): EventsNode {
  if (!choice.startsWith(GROUPS)) return { ...node, math: choice as EventsNode['math'] }
  const math_group_type_index = Number(choice.slice(GROUPS.length))
  return { ...node, math: 'unique_group', math_group_type_index }
}

const TYPES = ['event', 'person'] as const

function toMathProperty({ math_property, math_property_type }: EventsNode) {
  if (!math_property) return undefined
  const isPerson = math_property_type === 'person_properties'
  return { type: isPerson ? 'person' : 'event', key: math_property } as const
}

const fromMathProperty = (ref: PropertyRef | undefined) =>
  ({
    math_property: ref?.key ?? null,
    math_property_type: ref?.type === 'person' ? 'person_properties' : 'event_properties',
  }) as const

interface MathFieldsProps {
  readonly node: EventsNode
  readonly at: number
  readonly onChange: (node: EventsNode) => void
}

/** Chooses the measure of a series. */
export function MathFields({ node, at, onChange }: MathFieldsProps) {
  const types = useGroupTypes()
  const mathError = useFieldError(`series__${at}__math`)
  const propertyError = useFieldError(`series__${at}__math_property`)
  return (
    <Group gap="xs" grow wrap="nowrap" align="flex-start">
      <Choice
        aria-label={`Measure of series ${seriesLetter(at)}`}
        data={toMaths(types)}
        value={toChoice(node)}
        maxDropdownHeight={360}
        error={mathError}
        onChange={(choice) => onChange(withMath(node, choice))}
      />
      {needsProperty(node) && (
        <PropertyPicker
          label={`Property of series ${seriesLetter(at)}`}
          types={TYPES}
          value={toMathProperty(node)}
          event={node.event}
          error={propertyError}
          onChange={(ref) => onChange({ ...node, ...fromMathProperty(ref) })}
        />
      )}
    </Group>
  )
}
