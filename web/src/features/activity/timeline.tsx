import { Avatar, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import {
  IconChevronDown,
  IconChevronRight,
  IconHistory,
  IconSettingsAutomation,
} from '@tabler/icons-react'
import dayjs from 'dayjs'
import { useId, useState } from 'react'
import { pluralize } from '#model/pluralize.ts'
import type { Change } from '#server/features/activity/schema.ts'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyState, QueryContent } from '../../ui/page/states.tsx'
import { UserAvatar } from '../../ui/page/user-avatar.tsx'
import { useZone } from '../../ui/page/zone.ts'
import { toZonedDay } from '../../ui/page/zoned-day.ts'
import type { ActivityList } from './api.ts'
import { ItemLink } from './item-link.tsx'
import { type Entry, isFullyDescribed, toFieldName, toPieces, toShortValue } from './sentence.ts'
import classes from './timeline.module.css'

export { useItemActivity } from './api.ts'
export { describeActivity } from './sentence.ts'

interface TimelineProps {
  /** `useActivityLog()` or `useItemActivity(path)`. */
  readonly of: ActivityList
  /** Text of the empty state. */
  readonly empty?: string
}

/** Activity grouped by day; each entry expands to its changes. */
export function ActivityTimeline({ of, empty = 'Changes appear here.' }: TimelineProps) {
  const zone = useZone()
  return (
    <QueryContent query={of}>
      {({ pages }) => {
        const entries: readonly Entry[] = pages.flatMap(({ results }) => results)
        if (entries.length === 0) {
          return (
            <EmptyState icon={IconHistory} title="No activity yet">
              {empty}
            </EmptyState>
          )
        }
        return (
          <Stack gap="md">
            {groupByDay(entries, zone).map(([day, dayEntries]) => (
              <Day key={day} day={day} entries={dayEntries} />
            ))}
            <LoadMore query={of} />
          </Stack>
        )
      }}
    </QueryContent>
  )
}

const groupByDay = (
  entries: readonly Entry[],
  zone: string | undefined,
): (readonly [string, readonly Entry[]])[] => [
  ...Map.groupBy(entries, ({ created_at }) => toZonedDay(created_at, zone).format('YYYY-MM-DD')),
]

function Day({ day, entries }: { readonly day: string; readonly entries: readonly Entry[] }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 className={classes.day} id={id}>
        {toDayName(day, useZone())}
      </h2>
      <Card py={4}>
        <ol className={classes.entries}>
          {entries.map((entry) => (
            <TimelineEntry key={entry.id} entry={entry} />
          ))}
        </ol>
      </Card>
    </section>
  )
}

function toDayName(day: string, zone: string | undefined): string {
  const then = dayjs.utc(day)
  const today = toZonedDay(Date.now(), zone)
  const name = then.format(then.isSame(today, 'year') ? 'dddd, D MMMM' : 'dddd, D MMMM YYYY')
  if (then.isSame(today, 'day')) return `Today · ${name}`
  if (then.isSame(today.subtract(1, 'day'), 'day')) return `Yesterday · ${name}`
  return name
}

function TimelineEntry({ entry }: { readonly entry: Entry }) {
  const [isOpen, setOpen] = useState(false)
  const changes = entry.detail.changes ?? []
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <li className={classes.entry}>
      <EntryAvatar entry={entry} />
      <div className={classes.words}>
        <Text size="md">
          <Sentence entry={entry} />
        </Text>
        {!isFullyDescribed(entry) && (
          <UnstyledButton
            fz="xs"
            c="dimmed"
            mt={2}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <Group gap={2} component="span">
              <Chevron size={14} aria-hidden />
              {pluralize(changes.length, 'change')}
            </Group>
          </UnstyledButton>
        )}
        {isOpen && <Changes changes={changes} />}
      </div>
      <time className={classes.time} dateTime={entry.created_at} title={entry.created_at}>
        {toZonedDay(entry.created_at, useZone()).format('HH:mm')}
      </time>
    </li>
  )
}

function EntryAvatar({ entry: { user } }: { readonly entry: Entry }) {
  if (user.email === null) {
    return (
      <Avatar size={28} radius="xl" aria-hidden>
        <IconSettingsAutomation size={16} />
      </Avatar>
    )
  }
  return <UserAvatar name={user.first_name || user.email} size={28} />
}

function Sentence({ entry }: { readonly entry: Entry }) {
  return toPieces(entry).map(({ kind, text }, index) => {
    const key = `${index}`
    if (kind === 'text') return text
    if (kind === 'item' && entry.item) {
      return <ItemLink key={key} item={entry.item} name={text} className={classes.link} />
    }
    return (
      <span key={key} className={classes.strong}>
        {text}
      </span>
    )
  })
}

function Changes({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <dl className={classes.changes}>
      {changes.map(({ field, action, before, after }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are immutable
        <div key={index} style={{ display: 'contents' }}>
          <dt>{toFieldName(field)}</dt>
          <dd>
            {action !== 'created' && <span className={classes.before}>{toShortValue(before)}</span>}
            {action === 'changed' && ' → '}
            {action !== 'deleted' && <span>{toShortValue(after)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
