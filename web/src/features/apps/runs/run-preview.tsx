import { Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { MAX_SKIPPED_ROWS } from '#model/limits.ts'
import { pluralize } from '#model/pluralize.ts'
import type { RunPreview as Preview, Run } from '#server/features/import-apps/runs/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { EventName } from '../../../ui/page/known-name.tsx'
import { QueryContent } from '../../../ui/page/states.tsx'
import { EventTime } from '../../events/event-time.tsx'
import { runPath, useRunPreview } from '../api.ts'
import classes from '../apps.module.css'
import { formatCount } from '../status.ts'

/** The first events that a test run would store, and the first rows that a run skipped. */
export function RunPreview({ run }: { readonly run: Run }) {
  const preview = useRunPreview(run)
  return (
    <QueryContent query={preview}>
      {({ events, skipped }) => (
        <Stack gap="md" mt="sm">
          {run.dry_run && <Events events={events} total={run.events} />}
          {run.skipped > 0 && <Skipped run={run} rows={skipped} />}
        </Stack>
      )}
    </QueryContent>
  )
}

interface EventsProps {
  readonly events: Preview['events']
  readonly total: number
}

function Events({ events, total }: EventsProps) {
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
}: Preview['events'][number]['properties']) {
  return JSON.stringify(rest)
}

interface SkippedProps {
  readonly run: Run
  readonly rows: Preview['skipped']
}

function Skipped({ run, rows }: SkippedProps) {
  const projectId = useProjectId()
  return (
    <section>
      <Group justify="space-between" mb={4}>
        <Title order={3} size="h4">
          {run.skipped > rows.length
            ? `First ${rows.length} of ${formatCount(run.skipped)} skipped rows`
            : pluralize(rows.length, 'skipped row')}
        </Title>
        <Button
          component="a"
          href={`${runPath(projectId, run)}/skipped`}
          download
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} />}
        >
          {run.skipped > MAX_SKIPPED_ROWS
            ? `Download first ${formatCount(MAX_SKIPPED_ROWS)} skipped rows`
            : 'Download skipped rows'}
        </Button>
      </Group>
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
    </section>
  )
}
