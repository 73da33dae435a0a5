import { Badge, Button, Menu, Switch } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconChevronDown,
  IconChevronUp,
  IconKey,
  IconPencil,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { runIfConfirmed } from '../../ui/dialog/confirm.tsx'
import { PanelActions, PanelRow } from '../../ui/page/panel.tsx'
import { useDeleteNotification, usePatchNotification, useRotateSecret, useSendTest } from './api.ts'
import { Deliveries, LastDelivery } from './deliveries.tsx'
import type { NotificationId, NotificationKind } from './lists.ts'
import type { NotificationActions } from './notification-list.tsx'

interface NotificationRowProps extends NotificationActions {
  readonly kind: NotificationKind
  readonly item: {
    readonly id: NotificationId
    readonly enabled: boolean
    readonly resource_name: string
  }
  readonly name: string
  /** Shown while it is enabled. */
  readonly badge?: ReactNode
  readonly about: ReactNode
  /** Links the insight or dashboard, unless its page shows the row. */
  readonly subject?: ReactNode
  /** Additional menu items. */
  readonly items?: ReactNode
}

const PAUSED = (
  <Badge ml={6} color="gray">
    paused
  </Badge>
)

/** One alert or subscription: on/off switch, actions and delivery log. */
export function NotificationRow({
  kind,
  item: { id, enabled, resource_name },
  name,
  badge,
  about,
  subject,
  items,
  ...on
}: NotificationRowProps) {
  const [isOpen, { toggle, open }] = useDisclosure()
  const patch = usePatchNotification(kind)
  const remove = useDeleteNotification(kind)
  const test = useSendTest(kind)
  const rotate = useRotateSecret(kind)
  const confirmAndDelete = () =>
    runIfConfirmed(() => remove.mutate(id), {
      title: `Delete ${name}?`,
      message: 'Its delivery log is deleted too. This cannot be undone.',
      yes: 'Delete',
      isDangerous: true,
    })
  const confirmAndRotate = () =>
    runIfConfirmed(
      () => rotate.mutate(id, { onSuccess: ({ signing_secret }) => on.onSecret(signing_secret) }),
      {
        title: 'Rotate signing secret?',
        message: 'Webhooks will be signed with the new secret only. Update your receivers.',
        yes: 'Rotate secret',
      },
    )
  const Chevron = isOpen ? IconChevronUp : IconChevronDown
  return (
    <PanelRow
      title={
        <>
          {name}
          {enabled ? badge : PAUSED}
        </>
      }
      about={
        <>
          <div>
            {subject ? (
              <>{subject} · </>
            ) : (
              resource_name !== name && resource_name !== '' && `${resource_name} · `
            )}
            {about}
          </div>
          <LastDelivery kind={kind} id={id} />
        </>
      }
      below={isOpen && <Deliveries kind={kind} id={id} />}
    >
      <Switch
        aria-label={`Enable ${name}`}
        checked={enabled}
        disabled={patch.isPending}
        onChange={(event) => patch.mutate({ id, patch: { enabled: event.currentTarget.checked } })}
      />
      <Button
        size="xs"
        variant="default"
        aria-expanded={isOpen}
        aria-label={`Delivery log for ${name}`}
        rightSection={<Chevron size={14} />}
        onClick={toggle}
      >
        Log
      </Button>
      <PanelActions of={name}>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={on.onEdit}>
          Edit…
        </Menu.Item>
        <Menu.Item
          leftSection={<IconSend size={16} />}
          onClick={() => test.mutate(id, { onSuccess: open })}
        >
          Send test
        </Menu.Item>
        {items}
        <Menu.Item leftSection={<IconKey size={16} />} onClick={confirmAndRotate}>
          Rotate signing secret…
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={confirmAndDelete}>
          Delete…
        </Menu.Item>
      </PanelActions>
    </PanelRow>
  )
}
