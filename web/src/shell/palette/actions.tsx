import { useMantineColorScheme } from '@mantine/core'
import type { SpotlightActionData } from '@mantine/spotlight'
import {
  IconBook,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSettings,
  IconSun,
  IconTags,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useIsViewer, useProjectId } from '../../api/project.ts'
import { isAdmin, useMe, useSignOut } from '../../api/session.ts'
import { listSectionKeys, SECTION_NAMES } from '../../features/settings/section-names.ts'
import { usePages } from '../navigation.tsx'
import { openShortcuts } from '../shortcuts-dialog.tsx'

const CREATE = [
  { label: 'Connect your data', to: '/project/$projectId/connect' },
  { label: 'Create insight', to: '/project/$projectId/insights/new' },
  { label: 'Create dashboard from template', to: '/project/$projectId/templates' },
  { label: 'Add import app', to: '/project/$projectId/apps/gallery' },
] as const

/** Lists the pages, the settings and what can be done from everywhere. */
export function useActions(): SpotlightActionData[] {
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const signOut = useSignOut()
  const me = useMe()
  const pages = usePages()
  const isViewer = useIsViewer()
  const { setColorScheme } = useMantineColorScheme()
  const work: SpotlightActionData[] = [
    {
      id: 'actions',
      label: 'Actions',
      leftSection: <IconTags size={18} />,
      onClick: () => void navigate({ to: '/project/$projectId/actions', params: { projectId } }),
    },
    ...CREATE.map(({ to, label }) => ({
      id: to,
      label,
      leftSection: <IconPlus size={18} />,
      onClick: () => void navigate({ to, params: { projectId } }),
    })),
  ]
  return [
    ...pages.map(({ to, label, icon: Icon }) => ({
      id: to,
      label,
      leftSection: <Icon size={18} />,
      onClick: () => void navigate({ to, params: { projectId } }),
    })),
    ...(isViewer ? [] : work),
    ...listSectionKeys(isAdmin(me), isViewer).map((section) => ({
      id: `settings-${section}`,
      label: `Settings: ${SECTION_NAMES[section]}`,
      leftSection: <IconSettings size={18} />,
      onClick: () =>
        void navigate({
          to: '/project/$projectId/settings/$section',
          params: { projectId, section },
        }),
    })),
    {
      id: 'light',
      label: 'Use light appearance',
      leftSection: <IconSun size={18} />,
      onClick: () => setColorScheme('light'),
    },
    {
      id: 'dark',
      label: 'Use dark appearance',
      leftSection: <IconMoon size={18} />,
      onClick: () => setColorScheme('dark'),
    },
    {
      id: 'shortcuts',
      label: 'Show keyboard shortcuts',
      leftSection: <IconKeyboard size={18} />,
      onClick: () => void openShortcuts(),
    },
    {
      id: 'docs',
      label: 'Open documentation',
      leftSection: <IconBook size={18} />,
      onClick: () => window.open('/docs', '_blank', 'noreferrer'),
    },
    {
      id: 'sign-out',
      label: 'Sign out',
      leftSection: <IconLogout size={18} />,
      onClick: () => signOut.mutate(false),
    },
  ]
}
