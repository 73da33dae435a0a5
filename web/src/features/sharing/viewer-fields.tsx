import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { PropertyPicker } from '../properties/property-picker.tsx'
import type { LinkTarget } from './api.ts'
import type { PropertyValues, VariableValues, ViewerValues } from './viewer-values.ts'

const TYPES = ['event', 'person', 'session', 'group'] as const
/** The server takes no more. */
const MAX_FIELDS = 20

interface ViewerFieldsProps {
  readonly of: LinkTarget['kind']
  readonly value: ViewerValues
  readonly onChange: (value: ViewerValues) => void
}

/** Chooses what viewers of a link can change for themselves. */
export function ViewerFields({ of, value, onChange }: ViewerFieldsProps) {
  const { dates, properties, variables } = value
  const setProperties = (next: readonly PropertyValues[]) =>
    onChange({ ...value, properties: next })
  const setVariables = (next: readonly VariableValues[]) => onChange({ ...value, variables: next })
  return (
    <Stack gap="xs" role="group" aria-label="What viewers can change">
      <Text size="sm" fw={500}>
        What viewers can change
      </Text>
      <Checkbox
        label={`Dates, within those of the ${of}`}
        checked={dates}
        onChange={({ currentTarget }) => onChange({ ...value, dates: currentTarget.checked })}
      />
      {properties.map((property, at) => (
        <FieldRow
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is its identity
          key={at}
          name={`property ${at + 1}`}
          placeholder="Any value"
          values={property.values}
          onValues={(values) => setProperties(properties.with(at, { ...property, values }))}
          onRemove={() => setProperties(properties.toSpliced(at, 1))}
        >
          <PropertyPicker
            label={`Property ${at + 1}`}
            types={TYPES}
            value={property.ref}
            taken={properties.flatMap(({ ref }, other) => (ref && other !== at ? [ref] : []))}
            onChange={(ref) => setProperties(properties.with(at, { ...property, ref }))}
          />
        </FieldRow>
      ))}
      {variables.map((variable, at) => (
        <FieldRow
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is its identity
          key={at}
          name={`variable ${at + 1}`}
          placeholder="Values to choose from"
          values={variable.values}
          onValues={(values) => setVariables(variables.with(at, { ...variable, values }))}
          onRemove={() => setVariables(variables.toSpliced(at, 1))}
        >
          <TextInput
            aria-label={`Variable ${at + 1}`}
            placeholder="Code name of a variable"
            maxLength={200}
            value={variable.code_name}
            onChange={({ currentTarget }) =>
              setVariables(variables.with(at, { ...variable, code_name: currentTarget.value }))
            }
          />
        </FieldRow>
      ))}
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          disabled={properties.length >= MAX_FIELDS}
          onClick={() => setProperties([...properties, { ref: undefined, values: [] }])}
        >
          Add property
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          disabled={variables.length >= MAX_FIELDS}
          onClick={() => setVariables([...variables, { code_name: '', values: [] }])}
        >
          Add variable
        </Button>
      </Group>
    </Stack>
  )
}

interface FieldRowProps {
  readonly name: string
  readonly placeholder: string
  readonly values: readonly string[]
  readonly onValues: (values: readonly string[]) => void
  readonly onRemove: () => void
  /** Chooses what the values are of. */
  readonly children: React.ReactNode
}

const FieldRow = ({ name, placeholder, values, onValues, onRemove, children }: FieldRowProps) => (
  <Group gap="xs" align="flex-start" wrap="nowrap">
    <Stack gap={4} flex={1} miw={0}>
      {children}
      <TagsInput
        aria-label={`Values of ${name}`}
        placeholder={values.length === 0 ? placeholder : ''}
        maxTags={200}
        value={[...values]}
        onChange={onValues}
      />
    </Stack>
    <ActionIcon
      size="lg"
      variant="subtle"
      color="gray"
      aria-label={`Remove ${name}`}
      onClick={onRemove}
    >
      <IconTrash size={16} />
    </ActionIcon>
  </Group>
)
