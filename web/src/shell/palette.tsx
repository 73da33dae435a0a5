import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight'
import { IconChartLine, IconLayoutDashboard, IconPlus, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, type ListPage } from '../api/client.ts'
import { useProjectId } from '../api/project.ts'
import { PAGES } from './navigation.tsx'

const [store, spotlight] = createSpotlight()

/** The group of actions that come from the server's search. */
const RESULTS = 'Results'

interface SearchResult {
  readonly id: number
  readonly name: string | null
  readonly short_id?: string
}

/** Finds pages by label, and dashboards and insights by a server search. */
export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  useEffect(spotlight.open, [])
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const actions = [...usePageActions(), ...useSearchActions(search)]
  return (
    <Spotlight
      actions={actions}
      query={text}
      onQueryChange={setText}
      filter={(query, all) =>
        all.filter((action) => {
          const { label = '', group } = action as SpotlightActionData & { group?: string }
          // search results are already filtered by the server
          return group === RESULTS || label.toLowerCase().includes(query.trim().toLowerCase())
        })
      }
      nothingFound="No results"
      store={store}
      shortcut={null}
      onSpotlightClose={onClose}
      scrollable
      maxHeight={420}
      yOffset="12vh"
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: 'Search dashboards, insights and pages',
        'aria-label': 'Search dashboards, insights and pages',
      }}
    />
  )
}

const SETTINGS = [
  { section: 'project', label: 'Project' },
  { section: 'alerts', label: 'Alerts' },
  { section: 'members', label: 'Members' },
  { section: 'projects', label: 'Projects' },
  { section: 'keys', label: 'API keys' },
  { section: 'account', label: 'Account' },
] as const

function usePageActions(): SpotlightActionData[] {
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const pages = PAGES.map(({ to, label, icon: Icon }) => ({
    id: to,
    label,
    leftSection: <Icon size={18} />,
    onClick: () => void navigate({ to, params: { projectId } }),
  }))
  return [
    ...pages,
    {
      id: 'new-insight',
      label: 'Create insight',
      leftSection: <IconPlus size={18} />,
      onClick: () =>
        void navigate({ to: '/project/$projectId/insights/new', params: { projectId } }),
    },
    {
      id: 'new-dashboard',
      label: 'Create dashboard from template',
      leftSection: <IconPlus size={18} />,
      onClick: () => void navigate({ to: '/project/$projectId/templates', params: { projectId } }),
    },
    ...SETTINGS.map(({ section, label }) => ({
      id: `settings-${section}`,
      label: `Settings: ${label}`,
      onClick: () =>
        void navigate({
          to: '/project/$projectId/settings/$section',
          params: { projectId, section },
        }),
    })),
  ]
}

function useSearchActions(search: string): (SpotlightActionData & { group: string })[] {
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const results = useQuery({
    queryKey: ['palette', projectId, search],
    queryFn: async () => {
      const base = `/api/environments/${projectId}`
      const [dashboards, insights] = await Promise.all([
        api.get<ListPage<SearchResult>>(`${base}/dashboards`, { search, limit: 8 }),
        api.get<ListPage<SearchResult>>(`${base}/insights`, { search, limit: 8 }),
      ])
      return { dashboards: dashboards.results, insights: insights.results }
    },
    enabled: search.length > 0,
    placeholderData: keepPreviousData,
  })
  if (search === '' || !results.data) return []
  return [
    ...results.data.dashboards.map(({ id, name }) => ({
      id: `dashboard-${id}`,
      group: RESULTS,
      label: name || 'Untitled dashboard',
      description: 'Dashboard',
      leftSection: <IconLayoutDashboard size={18} />,
      onClick: () =>
        void navigate({
          to: '/project/$projectId/dashboards/$dashboardId',
          params: { projectId, dashboardId: `${id}` },
        }),
    })),
    ...results.data.insights.map(({ short_id: shortId = '', name }) => ({
      id: `insight-${shortId}`,
      group: RESULTS,
      label: name || 'Untitled insight',
      description: 'Insight',
      leftSection: <IconChartLine size={18} />,
      onClick: () =>
        void navigate({
          to: '/project/$projectId/insights/$shortId',
          params: { projectId, shortId },
        }),
    })),
  ]
}
