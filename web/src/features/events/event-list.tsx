import { Box, Group, Table, Text, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useProjectId } from '../../api/project.ts'
import { Card } from '../../ui/page/card.tsx'
import type { ListedEvent } from './api.ts'
import { EventTime } from './event-time.tsx'
import classes from './events.module.css'
import { pickProperties, toLine } from './values.ts'

interface EventListProps {
  readonly events: readonly ListedEvent[]
  /** IDs of events that arrived live. */
  readonly arrived: ReadonlySet<string>
  /** Hides the link to the person, if all events are of one person. */
  readonly isOfOnePerson?: boolean
  readonly onOpen: (event: ListedEvent) => void
}

export function EventList(props: EventListProps) {
  return (
    <Card p={0}>
      <Box visibleFrom="md">
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

function EventTable({ events, arrived, isOfOnePerson = false, onOpen }: EventListProps) {
  return (
    <Table className={classes.table} highlightOnHover verticalSpacing={8} horizontalSpacing="md">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={160}>Time</Table.Th>
          <Table.Th w="24%">Event</Table.Th>
          <Table.Th w="22%">{isOfOnePerson ? 'Distinct ID' : 'Person'}</Table.Th>
          <Table.Th>Properties</Table.Th>
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
                {event.event}
              </UnstyledButton>
            </Table.Td>
            <Table.Td className={classes.line} title={event.distinct_id}>
              {isOfOnePerson ? event.distinct_id : <PersonLink distinctId={event.distinct_id} />}
            </Table.Td>
            <Table.Td>
              <PropertyPreview event={event} max={3} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function PersonLink({ distinctId }: { readonly distinctId: string }) {
  const projectId = `${useProjectId()}`
  return (
    <Link
      className={classes.person}
      to="/project/$projectId/person"
      params={{ projectId }}
      search={{ distinct_id: distinctId }}
      preload={false}
      onClick={(event) => event.stopPropagation()} // the row would open the event
    >
      {distinctId}
    </Link>
  )
}

function EventCards({ events, arrived, onOpen }: EventListProps) {
  return events.map((event) => (
    <UnstyledButton
      key={event.id}
      className={toClassName(classes.card, arrived.has(event.id))}
      onClick={() => onOpen(event)}
    >
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text fw={500} truncate>
          {event.event}
        </Text>
        <Text size="xs" c="dimmed" className="tabular" flex="0 0 auto">
          <EventTime time={event.timestamp} />
        </Text>
      </Group>
      <Text size="sm" truncate>
        {event.distinct_id}
      </Text>
      <PropertyPreview event={event} max={2} />
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
          <span className={classes.key}>{toLine(name, 30)}</span> {toLine(value, 60)}
        </span>
      ))}
    </span>
  )
}
