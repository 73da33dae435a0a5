import { Group, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useProjectId } from '../../../api/project.ts'
import { LoadMore } from '../../../ui/list/load-more.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { QueryContent } from '../../../ui/page/states.tsx'
import {
  type EventOrAction,
  EventOrActionSelect,
  toEventSearch,
} from '../../actions/event-select.tsx'
import { type ListedEvent, useEvents } from '../../events/api.ts'
import { EventDrawer } from '../../events/event-drawer.tsx'
import { EventList } from '../../events/event-list.tsx'
import type { Person } from '../api.ts'

interface EventsTabProps {
  readonly person: Person
  /** Limits the events to those of this event or action. */
  readonly event: EventOrAction | undefined
  readonly onFilter: (event: EventOrAction | undefined) => void
}

const NONE: ReadonlySet<string> = new Set()

/** The events of a person under all its distinct IDs, newest first. */
export function EventsTab({ person, event, onFilter }: EventsTabProps) {
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const listed = useEvents({ person_id: person.uuid, ...toEventSearch(event) })
  const [opened, setOpened] = useState<ListedEvent>()
  return (
    <>
      <Group mb="md" maw={360}>
        <EventOrActionSelect value={event} onChange={onFilter} />
      </Group>
      <QueryContent query={listed}>
        {({ pages }) => {
          const events = pages.flatMap(({ results }) => results)
          if (events.length > 0) {
            return <EventList events={events} arrived={NONE} isOfOnePerson onOpen={setOpened} />
          }
          return (
            <Card>
              <Text c="dimmed">{event === undefined ? 'No events.' : 'No matching events.'}</Text>
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
