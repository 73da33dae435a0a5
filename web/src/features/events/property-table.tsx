import { Button, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { pluralize } from '#model/pluralize.ts'
import { CopyIcon } from '../../ui/page/copy-button.tsx'
import classes from './events.module.css'
import { describeType } from './values.ts'

interface PropertyTableProps {
  readonly of: Readonly<Record<string, unknown>>
  /** Buttons at the end of a row, beside Copy. */
  readonly actions?: (name: string, value: unknown) => ReactNode
}

/** Properties with their values, sorted and searchable. */
export function PropertyTable({ of, actions }: PropertyTableProps) {
  const [search, setSearch] = useState('')
  const all = Object.entries(of).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const term = search.toLowerCase()
  const found = all.filter(([name, value]) =>
    `${name} ${JSON.stringify(value)}`.toLowerCase().includes(term),
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
          {found.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Td className={classes.json}>{name}</Table.Td>
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

const toText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2)

const MAX_CHARS = 2000

function PropertyValue({ value }: { readonly value: unknown }) {
  const [isExpanded, setExpanded] = useState(false)
  const text = toText(value)
  const isCut = text.length > MAX_CHARS && !isExpanded
  return (
    <>
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
