import { Button, Modal, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { Page } from '../../api/client.ts'
import { Empty, Loading, Shown } from '../../ui/states.tsx'
import { Part, Rows } from '../settings/shared/section.tsx'
import { ShownOnce } from '../settings/shared/secret-once.tsx'
import type { NoticeId, Subject } from './api.ts'

export interface NoticeFormProps<Item> {
  /** undefined: create a new one. */
  readonly item?: Item
  /** undefined: the user chooses. */
  readonly of: Subject | undefined
  /** Receives the signing secret of a new item with webhooks. */
  readonly onDone: (secret?: string) => void
}

export interface NoticeActions {
  readonly onEdit: () => void
  readonly onSecret: (secret: string) => void
}

interface NoticesPartProps<Item> {
  readonly title: string
  readonly about: string
  /** "alert" or "subscription". */
  readonly noun: string
  readonly empty: Pick<Parameters<typeof Empty>[0], 'icon' | 'children'>
  readonly of: Parameters<typeof Shown<Page<Item>>>[0]['of']
  readonly nameOf: (item: Item) => string
  readonly row: (item: Item, actions: NoticeActions) => ReactNode
  readonly form: (item: Item | undefined, onDone: NoticeFormProps<Item>['onDone']) => ReactNode
}

/** Dialog content: a form for a new or an existing item, or a secret shown once. */
type DialogContent<Item> = 'new' | { readonly item: Item } | { readonly secret: string }

/** A list of alerts or subscriptions, with a dialog to create and edit them. */
export function NoticesPart<Item extends { readonly id: NoticeId }>(props: NoticesPartProps<Item>) {
  const { noun, nameOf, empty } = props
  const [content, setContent] = useState<DialogContent<Item>>()
  const close = () => setContent(undefined)
  const onDone = (secret?: string) => setContent(secret ? { secret } : undefined)
  const createButton = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setContent('new')}>
      Create {noun}
    </Button>
  )
  return (
    <Part title={props.title} about={props.about} isFlush actions={createButton}>
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
                  onEdit: () => setContent({ item }),
                  onSecret: (secret) => setContent({ secret }),
                }),
              )}
            </Rows>
          )
        }
      </Shown>
      <Modal opened={content !== undefined} onClose={close} title={titleOf(content)} size="lg">
        {content === 'new' && props.form(undefined, onDone)}
        {typeof content === 'object' && 'item' in content && props.form(content.item, onDone)}
        {typeof content === 'object' && 'secret' in content && (
          <ShownOnce value={content.secret} noun="secret">
            <Text size="sm">Receivers use it to verify webhook signatures.</Text>
            <Button onClick={close}>Done</Button>
          </ShownOnce>
        )}
      </Modal>
    </Part>
  )

  function titleOf(shown: DialogContent<Item> | undefined): string {
    if (shown === undefined || shown === 'new') return `Create ${noun}`
    return 'item' in shown ? `Edit ${nameOf(shown.item)}` : 'Signing secret'
  }
}
