import { Table, Text, Title } from '@mantine/core'
import { pluralize } from '#model/pluralize.ts'
import type { RunPreview } from '#server/features/import-apps/runs/schema.ts'
import { EventName } from '../../../ui/page/known-name.tsx'
import { EventTime } from '../../events/event-time.tsx'
import classes from '../apps.module.css'

interface EventsProps {
  readonly events: RunPreview['events']
  readonly total: number
}

/** The first events that a test would store. */
export function PreviewedEvents({ events, total }: EventsProps) {
  if (events.length === 0) return <Text size="sm">No events would be imported.</Text>
  return (
    <section>
      <Title order={3} size="h4" mb={4}>
        {total > events.length
          ? `First ${events.length} of ${pluralize(total, 'event')}`
          : pluralize(events.length, 'event')}
      </Title>
      <Table.ScrollContainer minWidth={560}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Event</Table.Th>
              <Table.Th>Person</Table.Th>
              <Table.Th>Time</Table.Th>
              <Table.Th>Properties</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {events.map(({ event, distinct_id, timestamp, properties }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the events of a preview never move
              <Table.Tr key={index}>
                <Table.Td>
                  <EventName name={event} />
                </Table.Td>
                <Table.Td>{distinct_id}</Table.Td>
                <Table.Td className={classes.time}>
                  <EventTime time={timestamp} />
                </Table.Td>
                <Table.Td className={classes.code}>{toText(properties)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  )
}

/** Leaves out what the server adds to every event. */
function toText({
  $lib: _,
  $lib_version: __,
  distinct_id: ___,
  ...rest
}: RunPreview['events'][number]['properties']) {
  return JSON.stringify(rest)
}

/** Rows that became no event, and why. */
export const SkippedTable = ({ rows }: { readonly rows: RunPreview['skipped'] }) => (
  <Table.ScrollContainer minWidth={560}>
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Reason</Table.Th>
          <Table.Th>Row</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ reason, row }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a preview never move
          <Table.Tr key={index}>
            <Table.Td>{reason}</Table.Td>
            <Table.Td className={classes.code}>{row}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)
