import { Button, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { toValueLabel } from '#model/names/event-label.ts'
import { pluralize } from '#model/pluralize.ts'
import { CopyIcon } from '../../ui/page/copy-button.tsx'
import { usePropertyDefinitions } from '../definitions/api.ts'
import { toPropertyOption } from '../definitions/name-option.ts'
import classes from './events.module.css'
import { describeType } from './values.ts'

interface PropertyTableProps {
  readonly of: Readonly<Record<string, unknown>>
  /** The event that has the properties; without it, a person or a group has them. */
  readonly event?: string
  readonly isOfGroup?: boolean
  /** Buttons at the end of a row, beside Copy. */
  readonly actions?: (name: string, value: unknown) => ReactNode
}

/** Properties with their values, sorted and searchable. */
export function PropertyTable({ of, event, isOfGroup = false, actions }: PropertyTableProps) {
  const [search, setSearch] = useState('')
  const type = event === undefined ? 'person' : 'event'
  const { data: written } = usePropertyDefinitions({ type, event }, { enabled: !isOfGroup })
  const all = Object.entries(of)
    .map(([name, value]) => {
      const option = toPropertyOption(
        name,
        written?.find((each) => each.name === name),
      )
      return { ...option, value }
    })
    .toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
  const term = search.toLowerCase()
  const found = all.filter(({ name, label, value }) =>
    `${label} ${name} ${JSON.stringify(value)}`.toLowerCase().includes(term),
  )
  if (all.length === 0) return <Text c="dimmed">No properties.</Text>
  return (
    <Stack gap="xs">
      <TextInput
        aria-label="Search properties"
        placeholder={`Search ${pluralize(all.length, 'property', 'properties')}`}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <Table layout="fixed" verticalSpacing={6} aria-label="Properties">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="38%">Property</Table.Th>
            <Table.Th>Value</Table.Th>
            <Table.Th w={actions ? 108 : 44} aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {found.map(({ name, label, description, value }) => (
            <Table.Tr key={name}>
              <Table.Td className={classes.known} title={description}>
                {label}
                {label !== name && <div className={classes.stored}>{name}</div>}
              </Table.Td>
              <Table.Td>
                <PropertyValue value={value} />
              </Table.Td>
              <Table.Td px={4}>
                <Group gap={2} wrap="nowrap" justify="flex-end">
                  <CopyIcon label={`Copy ${name}`} value={toText(value)} />
                  {actions?.(name, value)}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {found.length === 0 && <Text c="dimmed">No properties match “{search}”.</Text>}
    </Stack>
  )
}

/** Sorts by what people read, whatever the case. */
const sortKey = ({ label, name }: { readonly label: string; readonly name: string }): string =>
  `${label.toLowerCase()}\n${name}`

const toText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2)

const MAX_CHARS = 2000

function PropertyValue({ value }: { readonly value: unknown }) {
  const [isExpanded, setExpanded] = useState(false)
  const text = toText(value)
  const isCut = text.length > MAX_CHARS && !isExpanded
  const label = toValueLabel(text)
  return (
    <>
      {label !== text && <div>{label}</div>}
      <pre className={classes.json} title={describeType(value)}>
        {isCut ? `${text.slice(0, MAX_CHARS)}…` : text}
      </pre>
      {isCut && (
        <Button size="compact-xs" variant="subtle" onClick={() => setExpanded(true)}>
          Show all
        </Button>
      )}
    </>
  )
}
