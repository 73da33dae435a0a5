import { Box, Group, Table, Text, UnstyledButton } from '@mantine/core'
import { type EventColumn, readColumn, toColumnText } from '#model/event-columns.ts'
import { Card } from '../../ui/page/card.tsx'
import { EventName, PropertyName } from '../../ui/page/known-name.tsx'
import type { ListedEvent } from './api.ts'
import { EventPerson, toShortId } from './event-person.tsx'
import { EventTime } from './event-time.tsx'
import classes from './events.module.css'
import { usePersonOf } from './person-of.ts'
import { pickProperties, toShownLine } from './values.ts'

interface EventListProps {
  readonly events: readonly ListedEvent[]
  /** IDs of events that arrived live. */
  readonly arrived: ReadonlySet<string>
  /** Hides the link to the person, if all events are of one person. */
  readonly isOfOnePerson?: boolean
  /** Property columns. Without any, the list previews some properties of each event. */
  readonly columns?: readonly EventColumn[]
  readonly onOpen: (event: ListedEvent) => void
}

const NO_COLUMNS: readonly EventColumn[] = []

export function EventList(props: EventListProps) {
  return (
    <Card p={0}>
      <Box visibleFrom="md" className={classes.scroll}>
        <EventTable {...props} />
      </Box>
      <Box hiddenFrom="md">
        <EventCards {...props} />
      </Box>
    </Card>
  )
}

const toClassName = (name: string | undefined, isNew: boolean): string =>
  `${name} ${isNew ? classes.arrived : ''}`

/** The narrowest that the fixed columns and a property column can be read at. */
const FIXED_PX = 520
const COLUMN_PX = 120

function EventTable(props: EventListProps) {
  const { events, arrived, isOfOnePerson = false, columns = NO_COLUMNS, onOpen } = props
  return (
    <Table
      className={classes.table}
      highlightOnHover
      verticalSpacing={8}
      horizontalSpacing="md"
      miw={FIXED_PX + columns.length * COLUMN_PX}
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={160}>Time</Table.Th>
          <Table.Th w={columns.length > 0 ? undefined : '24%'}>Event</Table.Th>
          <Table.Th w={columns.length > 0 ? undefined : '22%'}>
            {isOfOnePerson ? 'Distinct ID' : 'Person'}
          </Table.Th>
          {columns.length === 0 && <Table.Th>Properties</Table.Th>}
          {columns.map((column) => (
            <Table.Th key={toColumnText(column)} className={classes.line} title={toTitle(column)}>
              <PropertyName name={column.key} />
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {events.map((event) => (
          <Table.Tr
            key={event.id}
            className={toClassName(classes.row, arrived.has(event.id))}
            onClick={() => onOpen(event)}
          >
            <Table.Td className={`tabular ${classes.line}`}>
              <EventTime time={event.timestamp} />
            </Table.Td>
            <Table.Td>
              {/* the row handles the mouse, the button the keyboard */}
              <UnstyledButton fz="md" className={classes.name} onClick={() => onOpen(event)}>
                <EventName name={event.event} />
              </UnstyledButton>
            </Table.Td>
            <Table.Td className={classes.line}>
              <PersonCell id={event.distinct_id} isOfOnePerson={isOfOnePerson} />
            </Table.Td>
            {columns.length === 0 && (
              <Table.Td>
                <PropertyPreview event={event} max={3} />
              </Table.Td>
            )}
            {columns.map((column) => (
              <Table.Td key={toColumnText(column)} className={classes.line}>
                <ColumnValue column={column} event={event} />
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function PersonCell({
  id,
  isOfOnePerson,
}: {
  readonly id: string
  readonly isOfOnePerson: boolean
}) {
  if (!isOfOnePerson) return <EventPerson distinctId={id} />
  return <span title={id}>{toShortId(id)}</span>
}

const toTitle = ({ type, key }: EventColumn): string =>
  type === 'person' ? `Person property ${key}` : key

interface ColumnValueProps {
  readonly column: EventColumn
  readonly event: ListedEvent
}

function ColumnValue({ column, event }: ColumnValueProps) {
  if (column.type === 'person') return <PersonValue column={column} event={event} />
  return <Value value={readColumn(column, event.properties, undefined)} />
}

function PersonValue({ column, event }: ColumnValueProps) {
  const { data: person } = usePersonOf(event.distinct_id)
  return <Value value={readColumn(column, {}, person?.properties)} />
}

function Value({ value }: { readonly value: unknown }) {
  if (value === undefined || value === null) return null
  const text = toShownLine(value)
  return <span title={text}>{text}</span>
}

function EventCards(props: EventListProps) {
  const { events, arrived, isOfOnePerson = false, columns = NO_COLUMNS, onOpen } = props
  return events.map((event) => (
    <UnstyledButton
      key={event.id}
      className={toClassName(classes.card, arrived.has(event.id))}
      onClick={() => onOpen(event)}
    >
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text fw={500} truncate>
          <EventName name={event.event} />
        </Text>
        <Text size="xs" c="dimmed" className="tabular" flex="0 0 auto">
          <EventTime time={event.timestamp} />
        </Text>
      </Group>
      <Text size="sm" component="div" truncate>
        {isOfOnePerson ? (
          toShortId(event.distinct_id)
        ) : (
          <EventPerson distinctId={event.distinct_id} isLink={false} />
        )}
      </Text>
      {columns.length === 0 && <PropertyPreview event={event} max={2} />}
      {columns.map((column) => (
        <Text key={toColumnText(column)} size="xs" component="div" truncate>
          <span className={classes.key}>
            <PropertyName name={column.key} maxLength={30} />
          </span>{' '}
          <ColumnValue column={column} event={event} />
        </Text>
      ))}
    </UnstyledButton>
  ))
}

function PropertyPreview({
  event: { properties },
  max,
}: {
  readonly event: ListedEvent
  readonly max: number
}) {
  return (
    <span className={classes.properties}>
      {pickProperties(properties, max).map(([name, value]) => (
        <span key={name} className={classes.property}>
          <span className={classes.key}>
            <PropertyName name={name} maxLength={30} />
          </span>{' '}
          {toShownLine(value, 60)}
        </span>
      ))}
    </span>
  )
}
