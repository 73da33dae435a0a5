import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useProjectId } from '../../../api/project.ts'
import { LoadMore } from '../../../ui/list/load-more.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { QueryContent } from '../../../ui/page/states.tsx'
import { type ListedEvent, useEvents } from '../../events/api.ts'
import { EventDrawer } from '../../events/event-drawer.tsx'
import { EventList } from '../../events/event-list.tsx'
import type { GroupId } from '../api.ts'
import { toGroupFilter } from './filter.ts'

const NONE: ReadonlySet<string> = new Set()

/** The events of a group, newest first. */
export function EventsTab({ id }: { readonly id: GroupId }) {
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const listed = useEvents({ properties: [toGroupFilter(id)] })
  const [opened, setOpened] = useState<ListedEvent>()
  return (
    <>
      <QueryContent query={listed}>
        {({ pages }) => {
          const events = pages.flatMap(({ results }) => results)
          if (events.length > 0) {
            return <EventList events={events} arrived={NONE} onOpen={setOpened} />
          }
          return (
            <Card>
              <Text c="dimmed">No events.</Text>
            </Card>
          )
        }}
      </QueryContent>
      <LoadMore query={listed} label="Load older events" mt="md" />
      <EventDrawer
        event={opened}
        onClose={() => setOpened(undefined)}
        onFilter={(search) =>
          void navigate({ to: '/project/$projectId/events', params: { projectId }, search })
        }
      />
    </>
  )
}
