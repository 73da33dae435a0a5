import { ActionIcon, Button, Group, SegmentedControl, Stack } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { Choice } from '../../ui/form/choice.tsx'
import { CohortSelect } from '../properties/cohort-select.tsx'
import { FilterRow } from '../properties/filter-row.tsx'
import { BehaviorFields } from './behavior-fields.tsx'
import classes from './cohorts.module.css'
import {
  type Condition,
  type ConditionKind,
  type Conditions,
  NEW_CONDITION,
  withKind,
} from './conditions.ts'
import { CountPreview } from './count-preview.tsx'

interface ConditionFieldsProps {
  readonly value: Conditions
  readonly onChange: (value: Conditions) => void
}

/** The conditions of a cohort, with the number of persons who match them. */
export function ConditionFields({ value, onChange }: ConditionFieldsProps) {
  const { match, all } = value
  const setAll = (changed: readonly Condition[]) => onChange({ ...value, all: changed })
  return (
    <Stack gap="xs">
      {all.map((condition, at) => (
        <ConditionRow
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no ids
          key={at}
          value={condition}
          onChange={(changed) => setAll(all.with(at, changed))}
          onRemove={() => setAll(all.toSpliced(at, 1))}
        />
      ))}
      <Group justify="space-between">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => setAll([...all, NEW_CONDITION])}
        >
          Add condition
        </Button>
        {all.length > 1 && (
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
      <CountPreview conditions={value} />
    </Stack>
  )
}

const KINDS: readonly { readonly value: ConditionKind; readonly label: string }[] = [
  { value: 'person', label: 'Has a property' },
  { value: 'did', label: 'Did an event' },
  { value: 'did_not', label: 'Did not do an event' },
  { value: 'stopped', label: 'Stopped doing an event' },
  { value: 'in', label: 'Is in a cohort' },
  { value: 'not_in', label: 'Is not in a cohort' },
]

interface ConditionRowProps {
  readonly value: Condition
  readonly onChange: (value: Condition) => void
  readonly onRemove: () => void
}

const ConditionRow = ({ value, onChange, onRemove }: ConditionRowProps) => (
  <div className={classes.condition}>
    <Group gap={6} wrap="nowrap" mb={6}>
      <Choice
        aria-label="Condition"
        flex={1}
        data={[...KINDS]}
        value={value.kind}
        onChange={(kind) => onChange(withKind(value, kind as ConditionKind))}
      />
      <ActionIcon variant="subtle" color="gray" aria-label="Remove condition" onClick={onRemove}>
        <IconX size={16} />
      </ActionIcon>
    </Group>
    <ConditionBody value={value} onChange={onChange} />
  </div>
)

function ConditionBody({ value, onChange }: Pick<ConditionRowProps, 'value' | 'onChange'>) {
  if (value.kind === 'person') {
    return (
      <FilterRow
        filter={value.filter}
        types={PERSON_ONLY}
        onChange={(filter) => onChange({ ...value, filter })}
      />
    )
  }
  if ('cohort' in value) {
    return (
      <CohortSelect
        value={value.cohort}
        onChange={({ id }) => onChange({ ...value, cohort: id })}
      />
    )
  }
  return <BehaviorFields value={value} onChange={onChange} />
}

const PERSON_ONLY = ['person'] as const
