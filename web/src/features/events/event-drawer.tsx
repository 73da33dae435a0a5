import { ActionIcon, Button, Drawer, Group, Stack, Text } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { withQuery } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { CopyText } from '../../ui/page/copy-button.tsx'
import { CopyCurl } from '../../ui/page/copy-curl.tsx'
import { TimeAgo } from '../../ui/page/time-ago.tsx'
import { VerifiedMark } from '../../ui/page/verified-mark.tsx'
import { useZone } from '../../ui/page/zone.ts'
import { toZonedDay } from '../../ui/page/zoned-day.ts'
import { useEventDefinitions } from '../definitions/api.ts'
import { toEventOption } from '../definitions/name-option.ts'
import { useGroupTypes } from '../groups/api.ts'
import type { SavedFilter } from '../properties/filters-model.ts'
import { type ListedEvent, toEventsPath } from './api.ts'
import { EventPerson } from './event-person.tsx'
import classes from './events.module.css'
import { PropertyTable } from './property-table.tsx'
import type { EventFilters } from './search.ts'
import { toLine } from './values.ts'

interface EventDrawerProps {
  readonly event: ListedEvent | undefined
  readonly onClose: () => void
  /** Shows the events that also match these filters. */
  readonly onFilter: (filters: EventFilters) => void
}

/** Every detail of one event. */
export function EventDrawer({ event, onClose, onFilter }: EventDrawerProps) {
  return (
    <Drawer
      opened={event !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={event && <EventTitle name={event.event} />}
      closeButtonProps={{ 'aria-label': 'Close' }}
      overlayProps={{ backgroundOpacity: 0.25 }}
    >
      {event && <EventDetails key={event.id} event={event} onFilter={onFilter} />}
    </Drawer>
  )
}

/** Shows the stored name too, for those who write queries. */
function EventTitle({ name }: { readonly name: string }) {
  const { label } = toEventOption(name)
  return (
    <Text fw={600}>
      {toLine(label)}
      {label !== name && (
        <Text span ml="xs" size="sm" c="dimmed" ff="monospace">
          {toLine(name)}
        </Text>
      )}
    </Text>
  )
}

function EventDetails({
  event,
  onFilter,
}: { readonly event: ListedEvent } & Pick<EventDrawerProps, 'onFilter'>) {
  const projectId = useProjectId()
  const definition = useEventDefinitions(event.event).data?.find(({ name }) => name === event.event)
  const { description, isVerified } = toEventOption(event.event, definition)
  return (
    <Stack gap="md">
      {(description || isVerified) && (
        <Group gap={6} wrap="nowrap">
          {isVerified && <VerifiedMark />}
          <Text size="sm" c="dimmed">
            {description ?? 'Verified'}
          </Text>
        </Group>
      )}
      <Group gap="xs">
        <CopyText label="Copy as JSON" value={JSON.stringify(event, null, 2)} />
        <CopyCurl path={withQuery(toEventsPath(projectId), toQuery(event))} />
      </Group>
      <dl className={classes.facts}>
        <Fact name="Person">
          <Group gap={4} wrap="nowrap" justify="space-between">
            <EventPerson distinctId={event.distinct_id} />
            <Button
              size="compact-xs"
              variant="subtle"
              leftSection={<IconFilter size={12} aria-hidden />}
              onClick={() => onFilter({ distinct_id: event.distinct_id })}
            >
              Filter by this ID
            </Button>
          </Group>
        </Fact>
        <Fact name="Distinct ID">
          <Text size="md" className={classes.json}>
            {event.distinct_id}
          </Text>
        </Fact>
        <EventGroups event={event} />
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
      <PropertyTable
        of={event.properties}
        event={event.event}
        actions={(key, value) => <FilterByValue name={key} value={value} onFilter={onFilter} />}
      />
    </Stack>
  )
}

/** The groups that an event names, with links. */
function EventGroups({ event }: { readonly event: ListedEvent }) {
  const projectId = `${useProjectId()}`
  const { $groups: named } = event.properties
  const keys = typeof named === 'object' && named !== null ? named : {}
  const hasGroups = Object.keys(keys).length > 0
  const groups = useGroupTypes({ enabled: hasGroups }).flatMap((type) => {
    const key = (keys as Readonly<Record<string, unknown>>)[type.group_type]
    const isKey = ['string', 'number', 'boolean'].includes(typeof key) && key !== ''
    return isKey ? [{ type, key: `${key}` }] : []
  })
  return groups.map(({ type, key }) => (
    <Fact key={type.group_type} name={type.name_singular || type.group_type}>
      <Link
        className={classes.personLink}
        to="/project/$projectId/groups/$typeIndex/$groupKey"
        params={{ projectId, typeIndex: `${type.group_type_index}`, groupKey: key }}
        preload={false}
      >
        {toLine(key)}
      </Link>
    </Fact>
  ))
}

interface FilterByValueProps extends Pick<EventDrawerProps, 'onFilter'> {
  readonly name: string
  readonly value: unknown
}

/** Filters by a property. Lists and objects have no operator that matches them. */
function FilterByValue({ name, value, onFilter }: FilterByValueProps) {
  if (value === null || typeof value === 'object' || value === '') return null
  const filter: SavedFilter = {
    type: 'event',
    key: name,
    operator: 'exact',
    value: [String(value)],
  }
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={`Filter by ${name}`}
      onClick={() => onFilter({ properties: [filter] })}
    >
      <IconFilter size={14} />
    </ActionIcon>
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
      <span className="tabular">
        {toZonedDay(time, useZone()).format('D MMM YYYY, HH:mm:ss.SSS')}
      </span>
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
