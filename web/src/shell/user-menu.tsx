import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMe } from '../api/session.ts'
import { lazyComponent } from '../ui/page/lazy-component.tsx'
import { LazyMenu } from '../ui/page/lazy-menu.tsx'
import { UserAvatar } from '../ui/page/user-avatar.tsx'
import { userName } from '../ui/page/user-name.ts'

const loadMentions = () => import('../features/comments/account-mentions.ts')
const UnreadDot = lazyComponent(async () => (await loadMentions()).UnreadDot)
const MentionsDrawer = lazyComponent(async () => (await loadMentions()).MentionsDrawer)
const UserItems = lazyComponent(async () => (await import('./user-items.tsx')).UserItems)

export function UserMenu() {
  const name = userName(useMe())
  const [isOpen, mentions] = useDisclosure()
  return (
    <>
      <LazyMenu
        width={220}
        button={
          <ActionIcon variant="light" radius="xl" size={30} aria-label={`Account menu for ${name}`}>
            <UserAvatar name={name} size={30} />
            <UnreadDot />
          </ActionIcon>
        }
      >
        {() => <UserItems onMentions={mentions.open} />}
      </LazyMenu>
      {isOpen && <MentionsDrawer onClose={mentions.close} />}
    </>
  )
}
