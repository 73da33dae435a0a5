import { Group, Stack, Text } from '@mantine/core'
import { IconBolt } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { toCsvRow } from '#model/csv.ts'
import { fullNumber } from '#model/format.ts'
import { pluralize } from '#model/pluralize.ts'
import { useProjectId } from '../../../api/project.ts'
import { LoadMore } from '../../../ui/list/load-more.tsx'
import { EmptyState, QueryContent } from '../../../ui/page/states.tsx'
import { EventDrawer } from '../../events/event-drawer.tsx'
import { fetchNewestEvents, MAX_EXPORTED, type PointEvent, usePointEvents } from './events-api.ts'
import { findUrl, PointEventTable } from './events-table.tsx'
import { ExportButton } from './export-button.tsx'

interface EventsPanelProps {
  readonly source: object
  readonly opened: PointEvent | undefined
  readonly onOpen: (row: PointEvent | undefined) => void
}

/** Lists the events behind a point, opens each of them and exports them. */
export function EventsPanel({ source, opened, onOpen }: EventsPanelProps) {
  const projectId = useProjectId()
  const navigate = useNavigate()
  const events = usePointEvents(source)
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <ExportButton
          name="events.csv"
          title={`Up to ${fullNumber(MAX_EXPORTED)} events, newest first`}
          load={async () => toCsv(await fetchNewestEvents(projectId, source))}
        />
      </Group>
      <QueryContent query={events}>
        {({ pages }) => {
          const rows = pages.flatMap(({ results }) => results)
          if (rows.length === 0) {
            return (
              <EmptyState icon={IconBolt} title="No events">
                No event is behind this number.
              </EmptyState>
            )
          }
          return (
            <>
              <Text size="sm" c="dimmed" role="status" className="tabular">
                {events.hasNextPage && 'Newest '}
                {pluralize(rows.length, 'event')}
              </Text>
              <PointEventTable rows={rows} onOpen={onOpen} />
            </>
          )
        }}
      </QueryContent>
      <LoadMore query={events} />
      <EventDrawer
        event={opened && toListed(opened)}
        onClose={() => onOpen(undefined)}
        onFilter={(search) =>
          void navigate({
            to: '/project/$projectId/events',
            params: { projectId: `${projectId}` },
            search,
          })
        }
      />
    </Stack>
  )
}

const toListed = ([{ uuid, ...event }]: PointEvent) => ({ ...event, id: uuid })

const HEADER = ['time', 'event', 'person', 'person_id', 'distinct_id', 'url', 'event_id']

const toCsv = (rows: readonly PointEvent[]): string =>
  [HEADER, ...rows.map(toCsvCells)].map(toCsvRow).join('')

const toCsvCells = ([event, person]: PointEvent): unknown[] => [
  event.timestamp,
  event.event,
  person.name,
  person.uuid,
  event.distinct_id,
  findUrl(event),
  event.uuid,
]
