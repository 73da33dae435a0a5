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
import { toInsightTitle } from '#model/insight-title.ts'
import { useProjectId } from '../../api/project.ts'
import { userName } from '../../ui/page/user-name.ts'
import { SHOWN, useSearch } from './api.ts'
import { rankByName } from './rank.ts'

const ICONS = {
  Dashboard: IconLayoutDashboard,
  Insight: IconChartLine,
  'Import app': IconPlugConnected,
  Alert: IconBell,
  Person: IconUser,
  Member: IconUsers,
}

function toResult(
  kind: keyof typeof ICONS,
  key: string | number,
  label: string,
  onClick: () => void,
): SpotlightActionData {
  const Icon = ICONS[kind]
  return {
    id: `${kind}-${key}`,
    label,
    description: kind,
    leftSection: <Icon size={18} />,
    onClick,
  }
}

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
      toResult('Dashboard', dashboard, name || 'Untitled dashboard', () =>
        navigate({
          to: '/project/$projectId/dashboards/$dashboardId',
          params: { projectId, dashboardId: `${dashboard}` },
        }),
      ),
    ),
    data.insights.map(({ short_id: shortId, name, derived_name }) =>
      toResult('Insight', shortId, toInsightTitle({ name, derived_name }), () =>
        navigate({
          to: '/project/$projectId/insights/$shortId',
          params: { projectId, shortId },
        }),
      ),
    ),
    data.apps.map(({ id: config, name }) =>
      toResult('Import app', config, name ?? '', () =>
        navigate({
          to: '/project/$projectId/apps/$configId',
          params: { projectId, configId: `${config}` },
        }),
      ),
    ),
    data.alerts.map(({ id: alert, name }) =>
      toResult('Alert', alert, name, () =>
        navigate({ to: '/project/$projectId/alerts', params: { projectId } }),
      ),
    ),
    data.persons.map(({ uuid, name }) =>
      toResult('Person', uuid, name, () =>
        navigate({
          to: '/project/$projectId/persons/$personId',
          params: { projectId, personId: uuid },
        }),
      ),
    ),
    data.members.map(({ user }) =>
      toResult('Member', user.email, userName(user), openSettings('members')),
    ),
  ]
  return kinds.flatMap((found) => rankByName(found, search).slice(0, SHOWN))
}
