import { Badge, Menu, Text, useMantineColorScheme } from '@mantine/core'
import {
  IconAt,
  IconClock,
  IconDeviceDesktop,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSun,
  IconUser,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useProject, useProjectId } from '../api/project.ts'
import { useMe, useSignOut } from '../api/session.ts'
import { useUnreadMentions } from '../features/comments/api.ts'
import { userName } from '../ui/page/user-name.ts'
import { useZoneChoice } from '../ui/page/zone.ts'
import { openShortcuts } from './shortcuts-dialog.tsx'

const SCHEMES = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
] as const

interface UserItemsProps {
  readonly onMentions: () => void
}

export function UserItems({ onMentions }: UserItemsProps) {
  const unread = useUnreadMentions()
  const me = useMe()
  const projectId = `${useProjectId()}`
  const signOut = useSignOut()
  const project = useProject()
  const { choice, choose } = useZoneChoice(project)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Menu.Label>
        <Text size="sm" fw={500} c="var(--mantine-color-text)">
          {userName(me)}
        </Text>
        {me.email}
      </Menu.Label>
      <Menu.Item
        leftSection={<IconAt size={16} />}
        rightSection={unread > 0 && <Badge size="sm">{unread}</Badge>}
        onClick={onMentions}
      >
        Mentions
      </Menu.Item>
      <Menu.Item
        leftSection={<IconUser size={16} />}
        renderRoot={(props) => (
          <Link
            to="/project/$projectId/settings/$section"
            params={{ projectId, section: 'account' }}
            {...props}
          />
        )}
      >
        Account
      </Menu.Item>
      <Menu.Item
        leftSection={<IconKey size={16} />}
        renderRoot={(props) => (
          <Link
            to="/project/$projectId/settings/$section"
            params={{ projectId, section: 'keys' }}
            {...props}
          />
        )}
      >
        API keys
      </Menu.Item>
      <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={() => void openShortcuts()}>
        Keyboard shortcuts
      </Menu.Item>
      <Menu.Divider />
      <Menu.Label>Appearance</Menu.Label>
      {SCHEMES.map(({ value, label, icon: Icon }) => (
        <Menu.Item
          key={value}
          leftSection={<Icon size={16} />}
          fw={value === colorScheme ? 600 : undefined}
          aria-current={value === colorScheme}
          onClick={() => setColorScheme(value)}
        >
          {label}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Label>Times</Menu.Label>
      {(['project', 'browser'] as const).map((value) => (
        <Menu.Item
          key={value}
          leftSection={<IconClock size={16} />}
          fw={value === choice ? 600 : undefined}
          aria-current={value === choice}
          onClick={() => choose(value)}
        >
          {value === 'project' ? `Project (${project?.timezone})` : 'Browser'}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.mutate(false)}>
        Sign out
      </Menu.Item>
    </>
  )
}
