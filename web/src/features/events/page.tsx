import { Button, Group } from '@mantine/core'
import { useHover, useLocalStorage, useWindowScroll } from '@mantine/hooks'
import { IconRefresh } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { withQuery } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { NoMatches } from '../../ui/list/no-matches.tsx'
import { hasFilters } from '../../ui/list/search-params.ts'
import { CopyCurl } from '../../ui/page/copy-curl.tsx'
import { Page } from '../../ui/page/page.tsx'
import { QueryContent } from '../../ui/page/states.tsx'
import ViewsMenu from '../saved-views/views-menu.tsx'
import { type ListedEvent, toEventFilter, toEventsPath } from './api.ts'
import { ColumnsSelect } from './columns-select.tsx'
import { EventDrawer } from './event-drawer.tsx'
import { EventFilters } from './event-filters.tsx'
import { EventList } from './event-list.tsx'
import { ListActions } from './list-actions.tsx'
import { LiveSwitch, NewEventsButton } from './live-switch.tsx'
import { NoEvents } from './no-events.tsx'
import type { EventsSearch, EventFilters as Filters } from './search.ts'
import { useColumns } from './use-columns.ts'
import { useEventList } from './use-event-list.ts'

const route = getRouteApi('/project/$projectId/events')
const OF_EVENTS = { page: 'events' } as const
/** Scrolling further than this counts as reading and pauses the list. */
const SCROLLED_PX = 120

export function EventsPage() {
  const { columns: inUrl, ...filters } = route.useSearch()
  const { columns, save } = useColumns(inUrl)
  const navigate = route.useNavigate()
  const path = withQuery(toEventsPath(useProjectId()), toEventFilter(filters))
  const [isLive, setLive] = useLocalStorage({ key: 'hedgerow-live-events', defaultValue: true })
  const [opened, setOpened] = useState<ListedEvent>()
  const { hovered, ref } = useHover()
  const [{ y }] = useWindowScroll()
  const isPaused = hovered || y > SCROLLED_PX || opened !== undefined
  const { listed, live, events, waiting, arrived, reload } = useEventList(filters, isLive, isPaused)

  const show = (search: EventsSearch) =>
    void navigate({ to: '/project/$projectId/events', search, replace: true })
  const filter = (next: Filters) => {
    setOpened(undefined)
    show({ ...next, columns: inUrl })
  }
  const addFilters = ({ properties = [], ...part }: Filters) => {
    const all = [...(filters.properties ?? []), ...properties]
    filter({ ...filters, ...part, properties: all.length > 0 ? all : undefined })
  }
  const choose = (chosen: string[]) => {
    save(chosen)
    show({ ...filters, columns: chosen })
  }

  return (
    <Page
      title="Events"
      about="Incoming events, newest first."
      actions={
        <>
          <LiveSwitch
            isOn={isLive}
            onChange={setLive}
            live={live}
            isPaused={isPaused}
            onReload={() => void reload()}
          />
          <CopyCurl path={path} />
        </>
      }
    >
      <EventFilters filters={filters} onChange={filter} />
      <Group gap="xs" mb="md">
        <ColumnsSelect columns={columns} event={filters.event} onChange={choose} />
        <ListActions filters={filters} columns={columns} />
        <ViewsMenu place={OF_EVENTS} filters={{ ...filters, columns: inUrl }} onShow={show} />
      </Group>
      {/* includes the button: otherwise the list would resume, and the button vanish, before it can be clicked */}
      <div ref={events.length > 0 ? ref : undefined}>
        <NewEventsButton count={waiting} onShow={live.show} />
        <QueryContent query={listed}>
          {() => {
            if (events.length > 0) {
              return (
                <EventList events={events} arrived={arrived} columns={columns} onOpen={setOpened} />
              )
            }
            return hasFilters(filters) ? (
              <NoMatches things="events" onClear={() => filter({})} />
            ) : (
              <NoEvents />
            )
          }}
        </QueryContent>
      </div>
      <Group justify="center" mt="md" gap="sm">
        {live.hasChanged && events.length > 0 && (
          <Button
            variant="default"
            leftSection={<IconRefresh size={14} />}
            onClick={() => void reload()}
          >
            Reload changed events
          </Button>
        )}
        <LoadMore query={listed} label="Load older events" />
      </Group>
      <EventDrawer event={opened} onClose={() => setOpened(undefined)} onFilter={addFilters} />
    </Page>
  )
}
