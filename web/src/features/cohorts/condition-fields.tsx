import { Button, Group, SegmentedControl, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { RuleFields } from '../../ui/property-rules/rule-fields.tsx'
import { newRule } from '../../ui/property-rules/rules.ts'
import { usePersons } from '../persons/api.ts'
import { toPropertyNames } from '../persons/columns.ts'
import type { Conditions } from './conditions.ts'

interface ConditionFieldsProps {
  readonly value: Conditions
  readonly onChange: (value: Conditions) => void
}

export function ConditionFields({ value, onChange }: ConditionFieldsProps) {
  const { match, rules } = value
  const known = toPropertyNames(usePersons({}).data?.pages[0]?.results ?? [])
  return (
    <Stack gap="xs">
      <RuleFields
        rules={rules}
        noun="condition"
        properties={known}
        onChange={(changed) => onChange({ ...value, rules: changed })}
      />
      <Group justify="space-between">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange({ ...value, rules: [...rules, newRule('exact', 'person')] })}
        >
          Add condition
        </Button>
        {rules.length > 1 && (
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
