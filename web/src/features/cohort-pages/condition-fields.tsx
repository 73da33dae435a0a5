import { Button, Group, SegmentedControl, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { FilterRow } from '../properties/filter-row.tsx'
import { type Conditions, NEW_CONDITION } from './conditions.ts'

interface ConditionFieldsProps {
  readonly value: Conditions
  readonly onChange: (value: Conditions) => void
}

const TYPES = ['person'] as const

export function ConditionFields({ value, onChange }: ConditionFieldsProps) {
  const { match, filters } = value
  const setFilters = (changed: Conditions['filters']) => onChange({ ...value, filters: changed })
  return (
    <Stack gap="xs">
      {filters.map((filter, at) => (
        <FilterRow
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no ids
          key={at}
          filter={filter}
          noun="condition"
          types={TYPES}
          onChange={(changed) => setFilters(filters.with(at, changed))}
          onRemove={() => setFilters(filters.toSpliced(at, 1))}
        />
      ))}
      <Group justify="space-between">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => setFilters([...filters, NEW_CONDITION])}
        >
          Add condition
        </Button>
        {filters.length > 1 && (
          <SegmentedControl
            aria-label="Match"
            size="xs"
            data={[
              { value: 'AND', label: 'Match all' },
              { value: 'OR', label: 'Match any' },
            ]}
            value={match}
            onChange={(next) => onChange({ ...value, match: next as Conditions['match'] })}
          />
        )}
      </Group>
    </Stack>
  )
}
