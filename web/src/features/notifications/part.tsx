import { Button, Modal, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { Page } from '../../api/client.ts'
import { Empty, Loading, Shown } from '../../ui/states.tsx'
import { Part, Rows } from '../settings/shared/section.tsx'
import { ShownOnce } from '../settings/shared/shown-once.tsx'
import type { NoticeId, Subject } from './api.ts'

export interface NoticeFormProps<Item> {
  /** undefined: a new one. */
  readonly item?: Item
  /** What it is to be of; undefined: to be chosen. */
  readonly of: Subject | undefined
  /** With the secret that signs its webhooks, if it is new and has some. */
  readonly onDone: (secret?: string) => void
}

export interface NoticeActions {
  readonly onEdit: () => void
  readonly onSecret: (secret: string) => void
}

interface NoticesPartProps<Item> {
  readonly title: string
  readonly about: string
  /** "alert", "subscription". */
  readonly noun: string
  readonly empty: Pick<Parameters<typeof Empty>[0], 'icon' | 'children'>
  readonly of: Parameters<typeof Shown<Page<Item>>>[0]['of']
  readonly nameOf: (item: Item) => string
  readonly row: (item: Item, actions: NoticeActions) => ReactNode
  readonly form: (item: Item | undefined, onDone: NoticeFormProps<Item>['onDone']) => ReactNode
}

/** What the dialogue shows: a form for a new one or for one that is there, or a secret, once. */
type Shows<Item> = 'new' | { readonly item: Item } | { readonly secret: string }

/** Alerts or subscriptions: a list, and the dialogue in which one is made or changed. */
export function NoticesPart<Item extends { readonly id: NoticeId }>(props: NoticesPartProps<Item>) {
  const { noun, nameOf, empty } = props
  const [shows, setShows] = useState<Shows<Item>>()
  const close = () => setShows(undefined)
  const onDone = (secret?: string) => setShows(secret ? { secret } : undefined)
  const make = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setShows('new')}>
      New {noun}
    </Button>
  )
  return (
    <Part title={props.title} about={props.about} isFlush actions={make}>
      <Shown
        of={props.of}
        waiting={
          <Stack p="md">
            <Loading lines={3} />
          </Stack>
        }
      >
        {({ results }) =>
          results.length === 0 ? (
            <Empty {...empty} title={`No ${noun}s yet`} />
          ) : (
            <Rows>
              {results.map((item) =>
                props.row(item, {
                  onEdit: () => setShows({ item }),
                  onSecret: (secret) => setShows({ secret }),
                }),
              )}
            </Rows>
          )
        }
      </Shown>
      <Modal opened={shows !== undefined} onClose={close} title={titleOf(shows)} size="lg">
        {shows === 'new' && props.form(undefined, onDone)}
        {typeof shows === 'object' && 'item' in shows && props.form(shows.item, onDone)}
        {typeof shows === 'object' && 'secret' in shows && (
          <ShownOnce value={shows.secret} noun="secret">
            <Text size="sm">
              Each webhook is signed with it, so that the receiver can tell it from a forgery.
            </Text>
            <Button onClick={close}>Done</Button>
          </ShownOnce>
        )}
      </Modal>
    </Part>
  )

  function titleOf(shown: Shows<Item> | undefined): string {
    if (shown === undefined || shown === 'new') return `New ${noun}`
    return 'item' in shown ? `Change ${nameOf(shown.item)}` : 'Signing secret'
  }
}
