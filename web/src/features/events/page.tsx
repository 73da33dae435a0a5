import { Button, Group, Switch, Text } from '@mantine/core'
import { useHover, useLocalStorage, useWindowScroll } from '@mantine/hooks'
import { IconArrowUp, IconRefresh } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { withQuery } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { CopyCurl } from '../../ui/copy-curl.tsx'
import { Page } from '../../ui/page.tsx'
import { Shown } from '../../ui/states.tsx'
import { type ListedEvent, toEventFilter, toEventsPath, useEvents } from './api.ts'
import { EventDrawer } from './event-drawer.tsx'
import { EventFilters } from './event-filters.tsx'
import { EventList } from './event-list.tsx'
import classes from './events.module.css'
import { useLiveEvents } from './live.ts'
import { NoEvents, NoneFit } from './no-events.tsx'
import type { EventsSearch } from './search.ts'

const route = getRouteApi('/project/$projectId/events')
/** Whoever has scrolled down reads. */
const SCROLLED_PX = 120

export function EventsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const projectId = useProjectId()
  const [isLive, setLive] = useLocalStorage({ key: 'hedgerow-live-events', defaultValue: true })
  const [opened, setOpened] = useState<ListedEvent>()
  const { hovered, ref } = useHover()
  const [{ y }] = useWindowScroll()
  const isHeld = hovered || y > SCROLLED_PX || opened !== undefined
  const listed = useEvents(search)
  const live = useLiveEvents(search, isLive, isHeld)
  const pages = listed.data?.pages.flatMap(({ results }) => results) ?? []
  const events = merge(live.shown, pages)
  const waiting = live.waiting.filter(({ id }) => !events.some((event) => event.id === id))
  const isFiltered = Object.values(search).some((value) => value !== undefined)

  const { refetch } = listed
  const reload = () => {
    live.forget()
    void refetch()
  }
  const isWaitingForFirst = listed.data !== undefined && events.length === 0
  const { hasChanged } = live
  // biome-ignore lint/correctness/useExhaustiveDependencies: reload is another one each time
  useEffect(() => {
    if (hasChanged && isWaitingForFirst) reload()
  }, [hasChanged, isWaitingForFirst])

  const filter = (next: EventsSearch) => {
    setOpened(undefined)
    void navigate({ to: '/project/$projectId/events', search: next, replace: true })
  }
  const showNew = () => {
    live.show()
    window.scrollTo({ top: 0 })
  }
  const path = withQuery(toEventsPath(projectId), toEventFilter(search))

  return (
    <Page
      title="Events"
      about="What came in, newest first."
      actions={
        <>
          <LiveSwitch isOn={isLive} onChange={setLive} live={live} isHeld={isHeld} />
          <CopyCurl path={path} />
        </>
      }
    >
      <EventFilters search={search} onChange={filter} />
      {isLive && waiting.length > 0 && (
        <div className={classes.news}>
          <Button
            size="xs"
            radius="xl"
            leftSection={<IconArrowUp size={14} aria-hidden />}
            onClick={showNew}
          >
            {waiting.length === 1 ? '1 new event' : `${waiting.length} new events`}
          </Button>
        </div>
      )}
      <Shown of={listed}>
        {() =>
          events.length === 0 ? (
            isFiltered ? (
              <NoneFit onClear={() => filter({})} />
            ) : (
              <NoEvents />
            )
          ) : (
            <div ref={ref}>
              <EventList
                events={events}
                arrived={new Set(live.shown.map(({ id }) => id))}
                onOpen={setOpened}
              />
            </div>
          )
        }
      </Shown>
      <Group justify="center" mt="md" gap="sm">
        {hasChanged && events.length > 0 && (
          <Button variant="default" leftSection={<IconRefresh size={14} />} onClick={reload}>
            Older events changed: reload
          </Button>
        )}
        {listed.hasNextPage && (
          <Button
            variant="default"
            loading={listed.isFetchingNextPage}
            onClick={() => void listed.fetchNextPage()}
          >
            Load older events
          </Button>
        )}
      </Group>
      <EventDrawer event={opened} onClose={() => setOpened(undefined)} onFilter={filter} />
    </Page>
  )
}

/** Each once, newest first: what came in live may be in the list by now. */
function merge(live: readonly ListedEvent[], listed: readonly ListedEvent[]): ListedEvent[] {
  const byId = new Map([...live, ...listed].map((event) => [event.id, event]))
  return [...byId.values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1))
}

/** As the server sorts. */
const keyOf = ({ timestamp, id }: ListedEvent): string => timestamp + id

interface LiveSwitchProps {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly live: { readonly isConnected: boolean; readonly hasSkipped: boolean }
  readonly isHeld: boolean
}

function LiveSwitch({ isOn, onChange, live, isHeld }: LiveSwitchProps) {
  return (
    <Group gap="xs">
      {isOn && (
        <Text size="xs" c="dimmed" role="status" visibleFrom="sm">
          {!live.isConnected
            ? 'Connecting…'
            : isHeld
              ? 'Paused while you read'
              : live.hasSkipped
                ? 'More come in than are shown'
                : 'Listening'}
        </Text>
      )}
      <Switch
        label="Live"
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </Group>
  )
}
