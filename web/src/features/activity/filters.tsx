import { Button, Group, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useMe } from '../../api/session.ts'
import type { ActivitySearch } from './search.ts'

const SCOPES = [
  { value: 'Dashboard', label: 'Dashboards' },
  { value: 'Insight', label: 'Insights' },
  { value: 'PluginConfig', label: 'Import apps' },
  { value: 'Alert', label: 'Alerts' },
  { value: 'Subscription', label: 'Subscriptions' },
  { value: 'Plugin', label: 'Installed apps' },
  { value: 'Project', label: 'Project' },
]

const SPANS = [
  { value: '1', label: 'Since yesterday' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
]

interface FiltersProps {
  readonly search: ActivitySearch
  readonly onChange: (search: ActivitySearch) => void
}

export function ActivityFilters({ search, onChange }: FiltersProps) {
  const me = useMe()
  const change = (part: ActivitySearch) => onChange({ ...search, ...part })
  const changeSoon = useDebouncedCallback(change, 300)
  const people = [
    { value: String(me.id), label: 'Me' },
    { value: 'system', label: 'Hedgerow itself' },
  ]
  const known = people.some(({ value }) => value === search.user)
  const isFiltered = Object.values(search).some((value) => value !== undefined)
  return (
    <Group gap="xs" mb="md">
      <TextInput
        key={search.search === undefined ? 'none' : 'some'}
        aria-label="Search by name"
        placeholder="Search by name"
        leftSection={<IconSearch size={14} aria-hidden />}
        defaultValue={search.search}
        onChange={(event) => changeSoon({ search: event.currentTarget.value || undefined })}
        flex="1 1 200px"
      />
      <Select
        aria-label="About"
        placeholder="About anything"
        data={SCOPES}
        value={search.scope ?? null}
        onChange={(scope) => change({ scope: scope ?? undefined })}
        clearable
        flex="1 1 150px"
      />
      <Select
        aria-label="By"
        placeholder="By anyone"
        data={
          known || !search.user
            ? people
            : [...people, { value: search.user, label: `User ${search.user}` }]
        }
        value={search.user ?? null}
        onChange={(user) => change({ user: user ?? undefined })}
        clearable
        flex="1 1 130px"
      />
      <Select
        aria-label="When"
        placeholder="Any time"
        data={SPANS}
        value={search.days ? String(search.days) : null}
        onChange={(days) => change({ days: days ? Number(days) : undefined })}
        clearable
        flex="1 1 140px"
      />
      {isFiltered && (
        <Button variant="subtle" color="gray" onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </Group>
  )
}
