import { CloseButton, Drawer, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconMessage } from '@tabler/icons-react'
import { useState } from 'react'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { DayInput } from '../../ui/form/day-input.tsx'
import { EmptyState, QueryContent } from '../../ui/page/states.tsx'
import { fromWallClock, useZone } from '../../ui/page/zone.ts'
import { toZonedDay } from '../../ui/page/zoned-day.ts'
import { MAX_SHOWN, useComment, useComments, useCreateComment } from './api.ts'
import classes from './comments.module.css'
import { Composer } from './composer.tsx'
import type { CommentPlace, ShownComments } from './place.ts'
import { ThreadCard } from './thread-card.tsx'
import { type Thread, toThreads } from './threads.ts'

interface CommentsDrawerProps {
  readonly dashboardId: number
  readonly tiles: readonly Tile[]
  readonly toTitle: (tile: Tile) => string
  readonly shown: ShownComments
  readonly onClose: () => void
}

/** Lists the threads on a dashboard and its tiles, and begins new ones. */
export function CommentsDrawer({ shown, onClose, ...props }: CommentsDrawerProps) {
  const named = typeof shown === 'string' && shown !== 'all' ? shown : undefined
  const found = useComment(named)
  const thread = useComment(found.data?.source_comment ?? named).data
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      title="Comments"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Comments
        // a thread that is named may be resolved
        key={thread?.completed_at ? 'completed' : 'open'}
        initial={thread?.completed_at ? 'completed' : 'open'}
        named={thread?.id}
        isGone={found.isError}
        place={typeof shown === 'string' ? undefined : shown}
        {...props}
      />
    </Drawer>
  )
}

interface CommentsProps extends Pick<CommentsDrawerProps, 'dashboardId' | 'tiles' | 'toTitle'> {
  readonly initial: 'open' | 'completed'
  readonly place: CommentPlace | undefined
  /** The ID of the thread that the address names. */
  readonly named: string | undefined
  readonly isGone: boolean
}

function Comments({ dashboardId, initial, place, named, isGone, ...titles }: CommentsProps) {
  const [state, setState] = useState(initial)
  const toAbout = useAbout(titles)
  const comments = useComments(dashboardId, state)
  return (
    <Stack>
      {isGone && (
        <Text size="sm" role="status">
          This comment was deleted.
        </Text>
      )}
      <NewComment dashboardId={dashboardId} place={place} toAbout={toAbout} />
      <SegmentedControl
        size="xs"
        aria-label="State"
        data={[
          { value: 'open', label: 'Open' },
          { value: 'completed', label: 'Resolved' },
        ]}
        value={state}
        onChange={(value) => setState(value as typeof state)}
      />
      <QueryContent query={comments}>
        {({ results, count }) => {
          const threads = toThreads(results)
          if (threads.length === 0) return <Empty state={state} />
          return (
            <>
              {threads.map((thread) => (
                <ThreadCard
                  key={thread.first.id}
                  thread={thread}
                  about={aboutOf(thread, toAbout)}
                  isNamed={thread.first.id === named}
                />
              ))}
              {count > MAX_SHOWN && (
                <Text size="xs" c="dimmed">
                  These are the newest {MAX_SHOWN} comments.
                </Text>
              )}
            </>
          )
        }}
      </QueryContent>
    </Stack>
  )
}

const Empty = ({ state }: { readonly state: 'open' | 'completed' }) =>
  state === 'open' ? (
    <EmptyState icon={IconMessage} title="No comments yet">
      Ask a question or explain a number. Only people who see this dashboard see comments.
    </EmptyState>
  ) : (
    <EmptyState icon={IconMessage} title="Nothing resolved yet">
      Resolved threads appear here.
    </EmptyState>
  )

type ToAbout = (place: { readonly tile: number | null; readonly point: string | null }) => string

const aboutOf = ({ first: { item_context } }: Thread, toAbout: ToAbout): string | undefined =>
  item_context ? toAbout({ tile: item_context.tile_id, point: item_context.point }) : undefined

/** Names a tile and a day. */
function useAbout({ tiles, toTitle }: Pick<CommentsDrawerProps, 'tiles' | 'toTitle'>): ToAbout {
  const zone = useZone()
  return ({ tile: id, point }) => {
    const tile = tiles.find((each) => each.id === id)
    const title = tile ? toTitle(tile) : id === null ? undefined : 'Removed tile'
    const day = point && toZonedDay(point, zone)
    const isMidnight = day && day.hour() === 0 && day.minute() === 0
    const time = day ? day.format(isMidnight ? 'D MMM YYYY' : 'D MMM YYYY, HH:mm') : undefined
    return [title, time].filter((part) => part !== undefined).join(' · ')
  }
}

interface NewCommentProps {
  readonly dashboardId: number
  readonly place: CommentPlace | undefined
  readonly toAbout: ToAbout
}

function NewComment({ dashboardId, place: given, toAbout }: NewCommentProps) {
  const create = useCreateComment()
  const zone = useZone()
  const [place, setPlace] = useState(given)
  const context = place && {
    item_context: { tile_id: place.tile, ...(place.point && { point: place.point }) },
  }
  return (
    <div>
      {place && (
        <Group gap={4} wrap="nowrap" justify="space-between" mb="xs">
          <Text size="xs" c="dimmed" className={classes.about}>
            {toAbout({ tile: place.tile, point: null })}
          </Text>
          <DayInput
            size="xs"
            w={150}
            aria-label="Day of the chart"
            placeholder="Day (optional)"
            value={place.point ? toZonedDay(place.point, zone).format('YYYY-MM-DD') : ''}
            onDay={(day) =>
              setPlace({
                tile: place.tile,
                ...(day && { point: fromWallClock(`${day} 00:00:00`, zone).toISOString() }),
              })
            }
          />
          <CloseButton
            size="xs"
            aria-label="Comment on the whole dashboard"
            onClick={() => setPlace(undefined)}
          />
        </Group>
      )}
      <Composer
        label="Add a comment"
        yes="Comment"
        isSaving={create.isPending}
        error={create.error?.message}
        hasFocus={given !== undefined}
        onSave={(written, done) =>
          create.mutate(
            { ...written, scope: 'Dashboard', item_id: dashboardId, ...context },
            {
              onSuccess: () => {
                done()
                setPlace(undefined)
              },
            },
          )
        }
      />
    </div>
  )
}
