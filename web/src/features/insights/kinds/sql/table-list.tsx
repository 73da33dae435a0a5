import {
  ActionIcon,
  Group,
  ScrollArea,
  Text,
  TextInput,
  Tooltip,
  UnstyledButton,
} from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { SQL_TABLES, type SqlColumn, type SqlTable } from '#model/sql-tables.ts'
import { type Action, useActionChoices } from '../../../actions/api.ts'
import { usePropertyDefinitions } from '../../../definitions/api.ts'
import { toPropertyText } from './sql-words.ts'
import classes from './workspace.module.css'

interface TableListProps {
  /** Adds a name to the query. */
  readonly onInsert: (text: string) => void
}

interface ListedTable extends SqlTable {
  /** Names of properties, as a query reads them. */
  readonly properties: readonly string[]
}

/** Tables, columns and properties that a query can read. A click adds the name to the query. */
export function TableList({ onInsert }: TableListProps) {
  const [search, setSearch] = useState('')
  const ofEvents = usePropertyDefinitions({ type: 'event' }).data ?? []
  const ofPersons = usePropertyDefinitions({ type: 'person' }).data ?? []
  const named = (prefix: string, all: readonly { readonly name: string }[]) =>
    all.map(({ name }) => `${prefix}${toPropertyText(name)}`)
  const properties: Readonly<Record<string, readonly string[]>> = {
    events: [...named('properties', ofEvents), ...named('person.properties', ofPersons)],
    persons: named('properties', ofPersons),
  }
  const words = search.trim().toLowerCase()
  const isFound = (name: string) => name.toLowerCase().includes(words)
  const actions = (useActionChoices().data ?? []).filter(({ name }) => isFound(name))
  const tables = SQL_TABLES.map((table): ListedTable => {
    const isWhole = words === '' || isFound(table.name)
    return {
      ...table,
      columns: table.columns.filter(({ name }) => isWhole || isFound(name)),
      properties: (properties[table.name] ?? []).filter((name) => isWhole || isFound(name)),
    }
  }).filter(({ columns, properties: found }) => columns.length + found.length > 0)
  return (
    <div className={classes.tables}>
      <TextInput
        size="xs"
        type="search"
        aria-label="Search tables and columns"
        placeholder="Search tables and columns"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <ScrollArea className={classes.scroll} type="auto" scrollbarSize={6}>
        {tables.length + actions.length === 0 && (
          <Text size="xs" c="dimmed" p={6}>
            No table or column matches.
          </Text>
        )}
        {tables.map((table) => (
          <TableItem
            key={table.name}
            table={table}
            isSearching={words !== ''}
            onInsert={onInsert}
          />
        ))}
        {actions.length > 0 && <ActionItems actions={actions} onInsert={onInsert} />}
      </ScrollArea>
    </div>
  )
}

interface TableItemProps extends TableListProps {
  readonly table: ListedTable
  readonly isSearching: boolean
}

function TableItem({ table, isSearching, onInsert }: TableItemProps) {
  const [isOpen, setOpen] = useState(table.name === 'events')
  const isShown = isOpen || isSearching
  const Chevron = isShown ? IconChevronDown : IconChevronRight
  return (
    <section aria-label={table.name}>
      <Group gap={2} wrap="nowrap">
        <ActionIcon
          size="xs"
          variant="subtle"
          color="gray"
          aria-expanded={isShown}
          aria-label={`Columns of ${table.name}`}
          onClick={() => setOpen(!isOpen)}
        >
          <Chevron size={12} />
        </ActionIcon>
        <Tooltip label={table.about} position="right" openDelay={400}>
          <UnstyledButton className={classes.table} onClick={() => onInsert(table.name)}>
            {table.name}
          </UnstyledButton>
        </Tooltip>
      </Group>
      {isShown && (
        <ul className={classes.columns}>
          {table.columns.map((column) => (
            <Column key={column.name} {...column} onInsert={onInsert} />
          ))}
          {table.properties.map((name) => (
            <Column key={name} name={name} type="text" onInsert={onInsert} />
          ))}
        </ul>
      )}
    </section>
  )
}

interface ActionItemsProps extends TableListProps {
  readonly actions: readonly Pick<Action, 'id' | 'name'>[]
}

/** Actions, as conditions on events. */
const ActionItems = ({ actions, onInsert }: ActionItemsProps) => (
  <section aria-label="Actions">
    <Text size="xs" c="dimmed" px={6} pt={6}>
      Actions
    </Text>
    <ul className={classes.columns}>
      {actions.map(({ id, name }) => (
        <li key={id}>
          <UnstyledButton
            className={classes.column}
            title={`matchesAction(${id})`}
            onClick={() => onInsert(`matchesAction(${id})`)}
          >
            <span className={classes.name}>{name}</span>
            <span className={classes.type}>action</span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  </section>
)

function Column({ name, type, onInsert }: SqlColumn & TableListProps) {
  return (
    <li>
      <UnstyledButton className={classes.column} title={name} onClick={() => onInsert(name)}>
        <span className={classes.name}>{name}</span>
        <span className={classes.type}>{type}</span>
      </UnstyledButton>
    </li>
  )
}
