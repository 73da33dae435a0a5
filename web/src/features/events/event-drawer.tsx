import { Button, Drawer, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { IconFilter, IconSearch } from '@tabler/icons-react'
import dayjs from 'dayjs'
import { type ReactNode, useState } from 'react'
import { withQuery } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { CopyIcon, CopyText } from '../../ui/copy-button.tsx'
import { CopyCurl } from '../../ui/copy-curl.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { type ListedEvent, toEventsPath } from './api.ts'
import classes from './events.module.css'
import type { EventsSearch } from './search.ts'
import { toLine, typeName } from './values.ts'

interface EventDrawerProps {
  readonly event: ListedEvent | undefined
  readonly onClose: () => void
  readonly onFilter: (search: EventsSearch) => void
}

/** Every detail of one event. */
export function EventDrawer({ event, onClose, onFilter }: EventDrawerProps) {
  return (
    <Drawer
      opened={event !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={event && <Text fw={600}>{toLine(event.event)}</Text>}
      closeButtonProps={{ 'aria-label': 'Close' }}
      overlayProps={{ backgroundOpacity: 0.25 }}
    >
      {event && <EventDetails key={event.id} event={event} onFilter={onFilter} />}
    </Drawer>
  )
}

function EventDetails({
  event,
  onFilter,
}: { readonly event: ListedEvent } & Pick<EventDrawerProps, 'onFilter'>) {
  const projectId = useProjectId()
  return (
    <Stack gap="md">
      <Group gap="xs">
        <CopyText label="Copy as JSON" value={JSON.stringify(event, null, 2)} />
        <CopyCurl path={withQuery(toEventsPath(projectId), toQuery(event))} />
      </Group>
      <dl className={classes.facts}>
        <Fact name="Person">
          <Group gap={4} wrap="nowrap" justify="space-between">
            <Text size="md" className={classes.json}>
              {event.distinct_id}
            </Text>
            <Button
              size="compact-xs"
              variant="subtle"
              leftSection={<IconFilter size={12} aria-hidden />}
              onClick={() => onFilter({ distinct_id: event.distinct_id })}
            >
              Filter by person
            </Button>
          </Group>
        </Fact>
        <Fact name="Timestamp">
          <Moment time={event.timestamp} />
        </Fact>
        <Fact name="Received">
          <Moment time={event.created_at} />
        </Fact>
        <Fact name="ID">
          <Text size="md" className={classes.json}>
            {event.id}
          </Text>
        </Fact>
      </dl>
      <Properties of={event.properties} />
    </Stack>
  )
}

/** Finds this event, and others of the same millisecond. */
function toQuery({ event, distinct_id, timestamp }: ListedEvent) {
  const time = Date.parse(timestamp)
  const [after, before] = [time - 1, time + 1].map((ms) => new Date(ms).toISOString())
  return { event, distinct_id, after, before }
}

function Moment({ time }: { readonly time: string }) {
  return (
    <Group gap="xs">
      <span className="tabular">{dayjs(time).format('D MMM YYYY, HH:mm:ss.SSS')}</span>
      <Text size="sm" c="dimmed">
        <TimeAgo time={time} />
      </Text>
    </Group>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

function Properties({ of }: { readonly of: Readonly<Record<string, unknown>> }) {
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
        placeholder={`Search ${all.length === 1 ? '1 property' : `${all.length} properties`}`}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <Table layout="fixed" verticalSpacing={6} aria-label="Properties">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="38%">Property</Table.Th>
            <Table.Th>Value</Table.Th>
            <Table.Th w={44} aria-label="Copy" />
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
                <CopyIcon label={`Copy ${name}`} value={toText(value)} />
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
      <pre className={classes.json} title={typeName(value)}>
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
