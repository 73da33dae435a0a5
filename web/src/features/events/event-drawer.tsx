import { Anchor, Button, Drawer, Group, Stack, Text } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import dayjs from 'dayjs'
import type { ReactNode } from 'react'
import { withQuery } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { CopyText } from '../../ui/page/copy-button.tsx'
import { CopyCurl } from '../../ui/page/copy-curl.tsx'
import { TimeAgo } from '../../ui/page/time-ago.tsx'
import { type ListedEvent, toEventsPath } from './api.ts'
import classes from './events.module.css'
import { PropertyTable } from './property-table.tsx'
import type { EventsSearch } from './search.ts'
import { toLine } from './values.ts'

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
            <Anchor
              size="md"
              className={classes.json}
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/project/$projectId/person"
                  params={{ projectId: `${projectId}` }}
                  search={{ distinct_id: event.distinct_id }}
                  preload={false}
                />
              )}
            >
              {event.distinct_id}
            </Anchor>
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
      <PropertyTable of={event.properties} />
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
