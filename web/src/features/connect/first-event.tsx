import { Box, Button, Group, Text, Title } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useProjectId } from '../../api/project.ts'
import { Card } from '../../ui/page/card.tsx'
import { EventName } from '../../ui/page/known-name.tsx'
import { ErrorAlert, Loading } from '../../ui/page/states.tsx'
import type { ListedEvent } from '../events/api.ts'
import { EventTime } from '../events/event-time.tsx'
import { useEventList } from '../events/use-event-list.ts'
import classes from './connect.module.css'
import { EventChart } from './event-chart.tsx'
import { PublicData } from './public-data.tsx'

/** Waits for the first event, then shows a chart of the events that arrive; above the ways to connect. */
export function FirstEvent({ children }: { readonly children: ReactNode }) {
  const { listed, live, events } = useEventList({}, true, false)
  const [newest] = events
  const first = useFirstEvent(listed.data !== undefined, events)
  // the code below would jump when a chart appears above it
  if (listed.isPending && !newest) return <Loading />
  return (
    <>
      {listed.error && !newest ? (
        <Box mb="md">
          <ErrorAlert error={listed.error} onRetry={() => void listed.refetch()} />
        </Box>
      ) : (
        <Card mb="md">
          <Group role="status" mih={44}>
            {newest ? (
              <Received event={first ?? newest} isFirst={first !== undefined} />
            ) : (
              <Waiting isConnected={live.isConnected} />
            )}
          </Group>
          {newest && (
            <>
              <EventChart newest={newest} />
              <NextSteps />
            </>
          )}
        </Card>
      )}
      {!listed.error && !newest && <PublicData />}
      {children}
    </>
  )
}

/** Returns the first event of a project that was empty when the page was opened. */
function useFirstEvent(isLoaded: boolean, events: readonly ListedEvent[]): ListedEvent | undefined {
  const [wasEmpty, setWasEmpty] = useState(false)
  const [first, setFirst] = useState<ListedEvent>()
  const oldest = events.at(-1)
  if (isLoaded && !oldest && !wasEmpty) setWasEmpty(true)
  if (wasEmpty && oldest && !first) setFirst(oldest)
  return first
}

function Waiting({ isConnected }: { readonly isConnected: boolean }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <span className={classes.pulse} aria-hidden />
      <div>
        <Title order={2} size="h3">
          Waiting for your first event…
        </Title>
        <Text size="sm" c="dimmed">
          {isConnected ? 'It appears here the moment it arrives.' : 'Connecting…'}
        </Text>
      </div>
    </Group>
  )
}

interface ReceivedProps {
  readonly event: ListedEvent
  readonly isFirst: boolean
}

function Received({ event, isFirst }: ReceivedProps) {
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <IconCircleCheck size={28} stroke={1.6} className={classes.check} aria-hidden />
      <div className={classes.words}>
        <Title order={2} size="h3">
          {isFirst ? 'First event received' : 'Events are arriving'}
        </Title>
        <Text size="sm" c="dimmed" className={classes.words}>
          {!isFirst && 'Latest: '}
          <b className={classes.name}>
            <EventName name={event.event} />
          </b>{' '}
          · <EventTime time={event.timestamp} />
        </Text>
      </div>
    </Group>
  )
}

function NextSteps() {
  const projectId = `${useProjectId()}`
  return (
    <Group gap="xs">
      <Button
        renderRoot={(props) => (
          <Link {...props} to="/project/$projectId/templates" params={{ projectId }} />
        )}
      >
        Create dashboard
      </Button>
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link {...props} to="/project/$projectId/events" params={{ projectId }} />
        )}
      >
        See live events
      </Button>
    </Group>
  )
}
