import { Stack } from '@mantine/core'
import {
  IconActivity,
  IconBell,
  IconBolt,
  IconBook,
  IconBuilding,
  IconChartLine,
  IconLayoutDashboard,
  IconPlugConnected,
  IconSettings,
  IconTags,
  IconUsers,
  IconUsersGroup,
  IconWorld,
} from '@tabler/icons-react'
import { Link, useMatchRoute } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { useIsViewer, useProjectId } from '../api/project.ts'
import { useGroupTypes } from '../features/groups/api.ts'
import classes from './shell.module.css'

type Icon = ComponentType<{ size?: number; stroke?: number }>

export const PAGES = [
  {
    to: '/project/$projectId/dashboards',
    label: 'Dashboards',
    icon: IconLayoutDashboard,
    key: 'd',
  },
  { to: '/project/$projectId/insights', label: 'Insights', icon: IconChartLine, key: 'i' },
  { to: '/project/$projectId/web', label: 'Web', icon: IconWorld, key: 'w' },
  { to: '/project/$projectId/apps', label: 'Import apps', icon: IconPlugConnected, key: 'a' },
  { to: '/project/$projectId/events', label: 'Events', icon: IconBolt, key: 'e' },
  { to: '/project/$projectId/persons', label: 'Persons', icon: IconUsers, key: 'p' },
  { to: '/project/$projectId/groups', label: 'Groups', icon: IconBuilding, key: 'o' },
  { to: '/project/$projectId/cohorts', label: 'Cohorts', icon: IconUsersGroup, key: 'c' },
  { to: '/project/$projectId/alerts', label: 'Alerts', icon: IconBell, key: 'n' },
  { to: '/project/$projectId/data', label: 'Data management', icon: IconTags, key: 'm' },
  { to: '/project/$projectId/activity', label: 'Activity', icon: IconActivity, key: 'l' },
] as const satisfies readonly { to: string; label: string; icon: Icon; key: string }[]

/** Returns the pages of a project: the first two for viewers. Groups have one once events name a group. */
export function usePages() {
  const isViewer = useIsViewer()
  const hasGroups = useGroupTypes({ enabled: !isViewer }).length > 0
  if (isViewer) return PAGES.slice(0, 2)
  return PAGES.filter(({ label }) => label !== 'Groups' || hasGroups)
}

export function Navigation() {
  const pages = usePages()
  const projectId = `${useProjectId()}`
  const isInSettings = useMatchRoute()({ to: '/project/$projectId/settings/$section' }) !== false
  return (
    <Stack gap={2} h="100%">
      {pages.map(({ to, label, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          params={{ projectId }}
          className={classes.link}
          activeOptions={{ includeSearch: false }}
        >
          <Icon size={18} stroke={1.6} />
          {label}
        </Link>
      ))}
      <Stack gap={2} mt="auto">
        <a className={classes.link} href="/docs" target="_blank" rel="noreferrer">
          <IconBook size={18} stroke={1.6} />
          Documentation
        </a>
        <Link
          to="/project/$projectId/settings/$section"
          params={{ projectId, section: 'project' }}
          className={classes.link}
          {...(isInSettings && { 'data-status': 'active' })}
        >
          <IconSettings size={18} stroke={1.6} />
          Settings
        </Link>
      </Stack>
    </Stack>
  )
}
