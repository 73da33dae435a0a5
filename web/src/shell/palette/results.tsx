import type { SpotlightActionData } from '@mantine/spotlight'
import {
  IconBell,
  IconChartLine,
  IconLayoutDashboard,
  IconPlugConnected,
  IconUser,
  IconUsers,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { useProjectId } from '../../api/project.ts'
import { userName } from '../../ui/page/user-name.ts'
import { SHOWN, useSearch } from './api.ts'
import { rankByName } from './rank.ts'

const toResult = (
  kind: string,
  Icon: ComponentType<{ size?: number }>,
  key: string | number,
  label: string,
  onClick: () => void,
): SpotlightActionData => ({
  id: `${kind}-${key}`,
  label,
  description: kind,
  leftSection: <Icon size={18} />,
  onClick,
})

/** Lists the best of each kind that the search found. */
export function useResults(search: string): SpotlightActionData[] {
  const id = useProjectId()
  const projectId = `${id}`
  const navigate = useNavigate()
  const { data } = useSearch(id, search)
  if (search === '' || !data) return []
  const openSettings = (section: string) => () =>
    void navigate({ to: '/project/$projectId/settings/$section', params: { projectId, section } })
  const kinds = [
    data.dashboards.map(({ id: dashboard, name }) =>
      toResult('Dashboard', IconLayoutDashboard, dashboard, name || 'Untitled dashboard', () =>
        navigate({
          to: '/project/$projectId/dashboards/$dashboardId',
          params: { projectId, dashboardId: `${dashboard}` },
        }),
      ),
    ),
    data.insights.map(({ short_id: shortId, name, derived_name }) =>
      toResult('Insight', IconChartLine, shortId, name || derived_name || 'Untitled insight', () =>
        navigate({
          to: '/project/$projectId/insights/$shortId',
          params: { projectId, shortId },
        }),
      ),
    ),
    data.apps.map(({ id: config, name }) =>
      toResult('Import app', IconPlugConnected, config, name ?? '', () =>
        navigate({
          to: '/project/$projectId/apps/$configId',
          params: { projectId, configId: `${config}` },
        }),
      ),
    ),
    data.alerts.map(({ id: alert, name }) =>
      toResult('Alert', IconBell, alert, name, openSettings('alerts')),
    ),
    data.persons.map(({ uuid, name }) =>
      toResult('Person', IconUser, uuid, name, () =>
        navigate({
          to: '/project/$projectId/persons/$personId',
          params: { projectId, personId: uuid },
        }),
      ),
    ),
    data.members.map(({ user }) =>
      toResult('Member', IconUsers, user.email, userName(user), openSettings('members')),
    ),
  ]
  return kinds.flatMap((found) => rankByName(found, search).slice(0, SHOWN))
}
