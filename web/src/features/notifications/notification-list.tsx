import { Button, Modal, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { ListPage } from '../../api/client.ts'
import { Panel, PanelRows } from '../../ui/page/panel.tsx'
import { SecretOnce } from '../../ui/page/secret-once.tsx'
import { EmptyState, Loading, QueryContent } from '../../ui/page/states.tsx'
import type { NotificationId, Subject } from './lists.ts'

export interface NotificationFormProps<Item> {
  /** undefined to create a new one. */
  readonly item?: Item
  /** undefined if the user chooses. */
  readonly of: Subject | undefined
  /** Receives the signing secret of a new item with webhooks. */
  readonly onDone: (secret?: string) => void
}

export interface NotificationActions {
  readonly onEdit: () => void
  readonly onSecret: (secret: string) => void
}

interface NotificationListProps<Item> {
  readonly title: string
  readonly about: string
  /** "alert" or "subscription". */
  readonly noun: string
  /** Not the main action of its page. */
  readonly isSecondary?: boolean
  readonly empty: Pick<Parameters<typeof EmptyState>[0], 'icon' | 'children'>
  readonly of: Parameters<typeof QueryContent<ListPage<Item>>>[0]['query']
  readonly nameOf: (item: Item) => string
  readonly row: (item: Item, actions: NotificationActions) => ReactNode
  readonly form: (
    item: Item | undefined,
    onDone: NotificationFormProps<Item>['onDone'],
  ) => ReactNode
}

/** Dialog content: a form for a new or an existing item, or a secret shown once. */
type DialogContent<Item> = 'new' | { readonly item: Item } | { readonly secret: string }

/** A list of alerts or subscriptions, with a dialog to create and edit them. */
export function NotificationList<Item extends { readonly id: NotificationId }>(
  props: NotificationListProps<Item>,
) {
  const { noun, nameOf, empty } = props
  const [content, setContent] = useState<DialogContent<Item>>()
  const close = () => setContent(undefined)
  const onDone = (secret?: string) => setContent(secret ? { secret } : undefined)
  const createButton = (
    <Button
      variant={props.isSecondary ? 'default' : 'filled'}
      leftSection={<IconPlus size={16} />}
      onClick={() => setContent('new')}
    >
      Create {noun}
    </Button>
  )
  return (
    <Panel title={props.title} about={props.about} isFlush actions={createButton}>
      <QueryContent query={props.of} loading={<Loading lines={3} p="md" />}>
        {({ results }) =>
          results.length === 0 ? (
            <EmptyState {...empty} title={`No ${noun}s yet`} />
          ) : (
            <PanelRows>
              {results.map((item) =>
                props.row(item, {
                  onEdit: () => setContent({ item }),
                  onSecret: (secret) => setContent({ secret }),
                }),
              )}
            </PanelRows>
          )
        }
      </QueryContent>
      <Modal opened={content !== undefined} onClose={close} title={titleOf(content)} size="lg">
        {content === 'new' && props.form(undefined, onDone)}
        {typeof content === 'object' && 'item' in content && props.form(content.item, onDone)}
        {typeof content === 'object' && 'secret' in content && (
          <SecretOnce value={content.secret} noun="secret">
            <Text size="sm">Receivers use it to verify webhook signatures.</Text>
            <Button onClick={close}>Done</Button>
          </SecretOnce>
        )}
      </Modal>
    </Panel>
  )

  function titleOf(shown: DialogContent<Item> | undefined): string {
    if (shown === undefined || shown === 'new') return `Create ${noun}`
    return 'item' in shown ? `Edit ${nameOf(shown.item)}` : 'Signing secret'
  }
}
