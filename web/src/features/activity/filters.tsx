import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useProjectId } from '../../api/project.ts'
import { useMe } from '../../api/session.ts'
import { FilterBar, FilterSelect, FilterSpan, FilterText } from '../../ui/list/filter-bar.tsx'
import { userName } from '../../ui/page/user-name.ts'
import { membersQuery } from '../sharing/api.ts'
import type { ActivitySearch } from './search.ts'

const SCOPES = [
  { value: 'Dashboard', label: 'Dashboards' },
  { value: 'Insight', label: 'Insights' },
  { value: 'PluginConfig', label: 'Import apps' },
  { value: 'Alert', label: 'Alerts' },
  { value: 'Subscription', label: 'Subscriptions' },
  { value: 'Person', label: 'Persons' },
  { value: 'Cohort', label: 'Cohorts' },
  { value: 'Action', label: 'Actions' },
  { value: 'Annotation', label: 'Annotations' },
  { value: 'SavedView', label: 'Saved views' },
  { value: 'EventDefinition', label: 'Event definitions' },
  { value: 'PropertyDefinition', label: 'Property definitions' },
  { value: 'Plugin', label: 'Installed apps' },
  { value: 'Project', label: 'Project' },
]

const SPANS = [
  { value: '1', label: 'Last 24 hours' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
]

interface FiltersProps {
  readonly search: ActivitySearch
  readonly onChange: (search: ActivitySearch) => void
}

export function ActivityFilters({ search, onChange }: FiltersProps) {
  const change = (part: ActivitySearch) => onChange({ ...search, ...part })
  return (
    <FilterBar search={search} onClear={() => onChange({})}>
      <FilterText
        label="Search by name"
        placeholder="Search by name"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={search.search}
        onChange={(text) => change({ search: text })}
        flex="1 1 200px"
      />
      <FilterSelect
        label="Type"
        placeholder="All types"
        data={SCOPES}
        value={search.scope}
        onChange={(scope) => change({ scope })}
        flex="1 1 150px"
      />
      <FilterSelect
        label="User"
        placeholder="All users"
        data={useUsers(search.user)}
        value={search.user}
        onChange={(user) => change({ user })}
        searchable
        nothingFoundMessage="No matching users"
        flex="1 1 150px"
      />
      <FilterSpan spans={SPANS} value={search.days} onChange={(days) => change({ days })} />
    </FilterBar>
  )
}

/** Users with access to the project, plus the filtered user even if they left. */
function useUsers(selected: string | undefined) {
  const me = useMe()
  const members = useQuery(membersQuery(useProjectId())).data ?? []
  const others = members.filter(({ user }) => user.id !== me.id)
  const users = [
    { value: `${me.id}`, label: 'Me' },
    ...others.map(({ user }) => ({ value: `${user.id}`, label: userName(user) })),
    { value: 'system', label: 'System' },
  ]
  const isKnown = !selected || users.some(({ value }) => value === selected)
  return isKnown ? users : [...users, { value: selected, label: `User ${selected}` }]
}
