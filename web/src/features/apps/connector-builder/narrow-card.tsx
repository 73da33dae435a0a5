import { Group, Stack, TextInput, Title } from '@mantine/core'
import { Choice } from '../../../ui/form/choice.tsx'
import { Card } from '../../../ui/page/card.tsx'
import type { AddressPart } from './address.ts'
import type { Draft } from './draft.ts'
import type { Comparison, Condition, Part } from './narrow.ts'
import { listLevels } from './parents.ts'
import { ParentsSection } from './parents-section.tsx'
import { RemoveButton, Section } from './section.tsx'

const COMPARISONS: readonly { value: Comparison; label: string }[] = [
  { value: 'is', label: 'is' },
  { value: 'is_not', label: 'is not' },
  { value: 'at_least', label: 'is at least' },
  { value: 'more_than', label: 'is more than' },
  { value: 'at_most', label: 'is at most' },
  { value: 'less_than', label: 'is less than' },
  { value: 'empty', label: 'is empty' },
  { value: 'not_empty', label: 'is not empty' },
]

const MAX_PARTS = 5

interface NarrowCardProps {
  readonly draft: Draft
  readonly onChange: (fields: Partial<Draft>) => void
}

/** Which records are imported, what else the address gets, and where the pages may lead. */
export function NarrowCard({ draft, onChange }: NarrowCardProps) {
  const { filter, parts, hosts, parents } = draft
  const [own] = listLevels(draft)
  const known = own?.parts.filter(({ id }) => id !== parents[0]?.part) ?? []
  const shown = parts.filter(({ id }) => known.some((part) => part.id === id))
  const free = known.filter(({ id }) => !shown.some((part) => part.id === id))
  const [next] = free
  return (
    <Card p="lg">
      <Stack gap="md">
        <Title order={2}>More</Title>
        <Section
          title="Filter"
          about="Only records that meet all conditions are imported."
          action="Add condition"
          onAdd={() => onChange({ filter: [...filter, { path: '', comparison: 'is', value: '' }] })}
        >
          {filter.map((condition, index) => (
            <ConditionRow
              // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other identity
              key={index}
              name={`condition ${index + 1}`}
              condition={condition}
              onChange={(changed) => onChange({ filter: filter.with(index, changed) })}
              onRemove={() => onChange({ filter: filter.toSpliced(index, 1) })}
            />
          ))}
        </Section>
        <ParentsSection draft={draft} onChange={onChange} />
        <Section
          title="Partitions"
          about="Reads the list once for each value of a part of the address, such as each region."
          action="Add partition"
          onAdd={
            next && shown.length < MAX_PARTS
              ? () => onChange({ parts: [...shown, { id: next.id, values: next.value }] })
              : undefined
          }
        >
          {shown.map((part, index) => (
            <PartRow
              key={part.id}
              name={`partition ${index + 1}`}
              part={part}
              options={known.filter((one) => one.id === part.id || free.includes(one))}
              onChange={(changed) => onChange({ parts: shown.with(index, changed) })}
              onRemove={() => onChange({ parts: shown.toSpliced(index, 1) })}
            />
          ))}
        </Section>
        <TextInput
          label="Other hosts"
          description="Hosts that pages and redirects may lead to, separated by commas. All others are refused."
          placeholder="files.example.com"
          maw={600}
          value={hosts}
          onChange={({ currentTarget }) => onChange({ hosts: currentTarget.value })}
        />
      </Stack>
    </Card>
  )
}

interface RowProps<T> {
  /** Tells rows apart for those who do not see them. */
  readonly name: string
  readonly onChange: (value: T) => void
  readonly onRemove: () => void
}

function ConditionRow({
  name,
  condition,
  onChange,
  onRemove,
}: RowProps<Condition> & { readonly condition: Condition }) {
  const { path, comparison, value } = condition
  const hasValue = comparison !== 'empty' && comparison !== 'not_empty'
  return (
    <Group gap="xs" wrap="wrap">
      <TextInput
        aria-label={`Path of ${name}`}
        placeholder="Path, such as status"
        flex={1}
        miw={140}
        value={path}
        onChange={({ currentTarget }) =>
          onChange({ ...condition, path: currentTarget.value.trim() })
        }
      />
      <Choice
        aria-label={`Comparison of ${name}`}
        data={COMPARISONS}
        w={140}
        value={comparison}
        onChange={(chosen) => onChange({ ...condition, comparison: chosen })}
      />
      {hasValue && (
        <TextInput
          aria-label={`Value of ${name}`}
          placeholder="Value"
          flex={1}
          miw={140}
          value={value}
          onChange={({ currentTarget }) => onChange({ ...condition, value: currentTarget.value })}
        />
      )}
      <RemoveButton name={name} onRemove={onRemove} />
    </Group>
  )
}

function PartRow({
  name,
  part,
  options,
  onChange,
  onRemove,
}: RowProps<Part> & { readonly part: Part; readonly options: readonly AddressPart[] }) {
  return (
    <Group gap="xs" wrap="wrap">
      <Choice
        aria-label={`Part of the address of ${name}`}
        data={options.map(({ id, label }) => ({ value: id, label }))}
        flex={1}
        miw={140}
        value={part.id}
        onChange={(id) =>
          onChange({ id, values: options.find((one) => one.id === id)?.value ?? '' })
        }
      />
      <TextInput
        aria-label={`Values of ${name}`}
        placeholder="Values, separated by commas"
        flex={2}
        miw={180}
        value={part.values}
        onChange={({ currentTarget }) => onChange({ ...part, values: currentTarget.value })}
      />
      <RemoveButton name={name} onRemove={onRemove} />
    </Group>
  )
}
