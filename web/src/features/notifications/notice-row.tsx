import { ActionIcon, Button, Menu, Switch } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconChevronDown,
  IconChevronUp,
  IconDots,
  IconKey,
  IconPencil,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { confirm } from '../../ui/confirm.tsx'
import { Row } from '../settings/shared/section.tsx'
import {
  type Kind,
  type NoticeId,
  useDeleteNotice,
  usePatchNotice,
  useRotateSecret,
  useTestNotice,
} from './api.ts'
import { Deliveries, LastDelivery } from './deliveries.tsx'
import type { NoticeActions } from './part.tsx'

interface NoticeRowProps extends NoticeActions {
  readonly kind: Kind
  readonly id: NoticeId
  readonly name: string
  readonly badge: ReactNode
  readonly about: ReactNode
  readonly isEnabled: boolean
  /** What else can be done with it. */
  readonly items?: ReactNode
}

/** Something that sends: on or off, tested, and what it has sent. */
export function NoticeRow({
  kind,
  id,
  name,
  badge,
  about,
  isEnabled,
  items,
  ...on
}: NoticeRowProps) {
  const [isOpen, { toggle, open }] = useDisclosure()
  const patch = usePatchNotice(kind)
  const remove = useDeleteNotice(kind)
  const test = useTestNotice(kind)
  const rotate = useRotateSecret(kind)
  async function askAndRemove() {
    const isSure = await confirm({
      title: `Delete ${name}?`,
      message: 'It sends nothing any more, and the log of what it has sent is deleted with it.',
      yes: 'Delete',
      isDangerous: true,
    })
    if (isSure) remove.mutate(id)
  }
  async function askAndRotate() {
    const isSure = await confirm({
      title: 'Make a new signing secret?',
      message: 'From then on webhooks are signed with the new one only.',
      yes: 'Make a new secret',
    })
    if (isSure) rotate.mutate(id, { onSuccess: (made) => on.onSecret(made.signing_secret) })
  }
  const Chevron = isOpen ? IconChevronUp : IconChevronDown
  return (
    <Row
      title={
        <>
          {name}
          {badge}
        </>
      }
      about={
        <>
          <div>{about}</div>
          <LastDelivery kind={kind} id={id} />
        </>
      }
      below={isOpen && <Deliveries kind={kind} id={id} />}
    >
      <Switch
        aria-label={`${name} is on`}
        checked={isEnabled}
        disabled={patch.isPending}
        onChange={(event) => patch.mutate({ id, patch: { enabled: event.currentTarget.checked } })}
      />
      <Button
        size="xs"
        variant="default"
        aria-expanded={isOpen}
        aria-label={`Log of ${name}`}
        rightSection={<Chevron size={14} />}
        onClick={toggle}
      >
        Log
      </Button>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={34} aria-label={`More about ${name}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={on.onEdit}>
            Change
          </Menu.Item>
          <Menu.Item
            leftSection={<IconSend size={16} />}
            onClick={() => test.mutate(id, { onSuccess: open })}
          >
            Send a test
          </Menu.Item>
          {items}
          <Menu.Item leftSection={<IconKey size={16} />} onClick={() => void askAndRotate()}>
            New signing secret…
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} />}
            onClick={() => void askAndRemove()}
          >
            Delete…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Row>
  )
}
