import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight'
import { IconChartLine, IconLayoutDashboard, IconPlus, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, type Page } from '../api/client.ts'
import { useProjectId } from '../api/project.ts'
import { PLACES } from './navigation.tsx'

const [store, spotlight] = createSpotlight()

interface Named {
  readonly id: number
  readonly name: string | null
  readonly short_id?: string
}

/** Cmd-K: pages by their name, dashboards and insights by the server's search. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  useEffect(spotlight.open, [])
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const actions = [...usePlaces(), ...useFound(search)]
  return (
    <Spotlight
      actions={actions}
      query={text}
      onQueryChange={setText}
      filter={(query, all) =>
        all.filter((action) => {
          const { label = '', group } = action as SpotlightActionData & { group?: string }
          // what the server found needs no second filter
          return group === 'Found' || label.toLowerCase().includes(query.trim().toLowerCase())
        })
      }
      nothingFound="Nothing of that name"
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

function usePlaces(): SpotlightActionData[] {
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const places = PLACES.map(({ to, label, icon: Icon }) => ({
    id: to,
    label,
    leftSection: <Icon size={18} />,
    onClick: () => void navigate({ to, params: { projectId } }),
  }))
  const sections = ['project', 'members', 'keys', 'account'] as const
  return [
    ...places,
    {
      id: 'new-insight',
      label: 'New insight',
      leftSection: <IconPlus size={18} />,
      onClick: () =>
        void navigate({ to: '/project/$projectId/insights/new', params: { projectId } }),
    },
    {
      id: 'new-dashboard',
      label: 'New dashboard from a template',
      leftSection: <IconPlus size={18} />,
      onClick: () => void navigate({ to: '/project/$projectId/templates', params: { projectId } }),
    },
    ...sections.map((section) => ({
      id: `settings-${section}`,
      label: `Settings: ${section}`,
      onClick: () =>
        void navigate({
          to: '/project/$projectId/settings/$section',
          params: { projectId, section },
        }),
    })),
  ]
}

function useFound(search: string): (SpotlightActionData & { group: string })[] {
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const found = useQuery({
    queryKey: ['palette', projectId, search],
    queryFn: async () => {
      const base = `/api/environments/${projectId}`
      const [dashboards, insights] = await Promise.all([
        api.get<Page<Named>>(`${base}/dashboards`, { search, limit: 8 }),
        api.get<Page<Named>>(`${base}/insights`, { search, limit: 8 }),
      ])
      return { dashboards: dashboards.results, insights: insights.results }
    },
    enabled: search.length > 0,
    placeholderData: keepPreviousData,
  })
  if (search === '' || !found.data) return []
  return [
    ...found.data.dashboards.map(({ id, name }) => ({
      id: `dashboard-${id}`,
      group: 'Found',
      label: name || 'Untitled dashboard',
      description: 'Dashboard',
      leftSection: <IconLayoutDashboard size={18} />,
      onClick: () =>
        void navigate({
          to: '/project/$projectId/dashboards/$dashboardId',
          params: { projectId, dashboardId: `${id}` },
        }),
    })),
    ...found.data.insights.map(({ short_id: shortId = '', name }) => ({
      id: `insight-${shortId}`,
      group: 'Found',
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
