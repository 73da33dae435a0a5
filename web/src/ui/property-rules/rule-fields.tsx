import { ActionIcon, Autocomplete, Group, Select, TagsInput, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { RULE_OPERATORS, type Rule, takesList, takesValue } from './rules.ts'

interface RuleFieldsProps {
  readonly rules: readonly Rule[]
  /** Singular noun: "rule". */
  readonly noun: string
  readonly canEdit?: boolean
  /** Property names to suggest. */
  readonly properties?: readonly string[]
  readonly onChange: (rules: readonly Rule[]) => void
}

/** Property, condition and value of each rule, in a row. */
export function RuleFields({ rules, noun, canEdit = true, ...props }: RuleFieldsProps) {
  const { properties = [], onChange } = props
  const disabled = !canEdit
  return rules.map((rule) => {
    const change = (part: Partial<Rule>) =>
      onChange(rules.map((each) => (each === rule ? { ...rule, ...part } : each)))
    return (
      <Group key={rule.key} gap="xs" align="flex-start">
        <Autocomplete
          aria-label="Property"
          placeholder="Property, e.g. email"
          required
          flex={1}
          miw={140}
          disabled={disabled}
          data={[...properties]}
          limit={50}
          value={rule.property}
          onChange={(property) => change({ property })}
        />
        <Select
          aria-label="Condition"
          data={RULE_OPERATORS}
          allowDeselect={false}
          w={170}
          disabled={disabled}
          value={rule.operator}
          onChange={(operator) => change({ operator: operator as Rule['operator'] })}
        />
        {takesList(rule.operator) && (
          <TagsInput
            aria-label="Values"
            placeholder={rule.values.length === 0 ? 'Values' : undefined}
            flex={1}
            miw={160}
            disabled={disabled}
            acceptValueOnBlur
            value={rule.values}
            onChange={(values) => change({ values })}
          />
        )}
        {takesValue(rule.operator) && (
          <TextInput
            aria-label="Value"
            placeholder="Value"
            flex={1}
            miw={160}
            disabled={disabled}
            value={rule.value}
            onChange={(event) => change({ value: event.currentTarget.value })}
          />
        )}
        {canEdit && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={`Remove ${noun} for ${rule.property || 'empty property'}`}
            onClick={() => onChange(rules.filter((each) => each !== rule))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        )}
      </Group>
    )
  })
}
