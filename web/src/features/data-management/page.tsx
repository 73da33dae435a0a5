import { Button, SegmentedControl } from '@mantine/core'
import { IconTags } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import list from '../../ui/list/list.module.css'
import { ListResults } from '../../ui/list/list-page.tsx'
import { SearchBox } from '../../ui/list/search-box.tsx'
import { Windowed } from '../../ui/list/windowed.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageTabs } from '../../ui/page/page-tabs.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { type Definition, useDefinitions } from './api.ts'
import classes from './data-management.module.css'
import { DefinitionDrawer } from './definition-drawer.tsx'
import { DefinitionRow } from './definition-row.tsx'
import type { DataSearch, Tab } from './search.ts'

const route = getRouteApi('/project/$projectId/data')

const LABELS: Readonly<Record<Tab, string>> = {
  events: 'Events',
  'event-properties': 'Event properties',
  'person-properties': 'Person properties',
}

/** Names of events and properties with what the team knows about them. */
export function DataManagementPage() {
  const { tab = 'events', ...search } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (change: DataSearch) =>
    void navigate({
      to: '/project/$projectId/data',
      search: (before) => ({ ...before, ...change }),
      replace: true,
    })
  const definitions = <Definitions key={tab} tab={tab} search={search} onChange={show} />
  return (
    <Page
      title="Data management"
      about="Describe your events and properties, verify the right ones and hide the rest from pickers."
      actions={<ActionsLink />}
    >
      <PageTabs
        label="Data sections"
        panels={(Object.entries(LABELS) as [Tab, string][]).map(
          ([value, label]) => [value, label, definitions] as const,
        )}
        value={tab}
        onChange={(next) => show({ tab: next === 'events' ? undefined : next, search: undefined })}
      />
    </Page>
  )
}

/** Actions are names too, but of rules. */
function ActionsLink() {
  const params = route.useParams()
  return (
    <Button
      variant="default"
      leftSection={<IconTags size={16} aria-hidden />}
      renderRoot={(props) => <Link {...props} to="/project/$projectId/actions" params={params} />}
    >
      Actions
    </Button>
  )
}

interface DefinitionsProps {
  readonly tab: Tab
  readonly search: Omit<DataSearch, 'tab'>
  readonly onChange: (change: DataSearch) => void
}

const EVENT_COLUMNS = '20px minmax(0, 3fr) minmax(0, 1fr) minmax(0, 1fr) minmax(0, 1.4fr) 84px'
const PROPERTY_COLUMNS = '20px minmax(0, 3fr) minmax(0, 1fr) minmax(0, 1.4fr) 84px'

function Definitions({ tab, search, onChange }: DefinitionsProps) {
  const [opened, setOpened] = useState<Definition>()
  const isEvents = tab === 'events'
  const row = useCallback(
    (definition: Definition) => (
      <DefinitionRow key={definition.id} definition={definition} onOpen={setOpened} />
    ),
    [],
  )
  const columns = isEvents ? EVENT_COLUMNS : PROPERTY_COLUMNS
  return (
    <>
      <div className={classes.filters}>
        <SegmentedControl
          aria-label="View"
          data={[
            { value: 'all', label: 'All' },
            { value: 'verified', label: 'Verified' },
          ]}
          value={search.view ?? 'all'}
          onChange={(view) => onChange({ view: view === 'verified' ? view : undefined })}
        />
        <SearchBox
          label={isEvents ? 'Search events' : 'Search properties'}
          value={search.search}
          onSearch={(text) => onChange({ search: text })}
        />
      </div>
      <ListResults
        thing="name"
        searched="name"
        search={{ search: search.search }}
        onChange={() => onChange({ search: undefined })}
        query={useDefinitions({ tab, ...search })}
        empty={<NoDefinitions tab={tab} isVerified={search.view === 'verified'} />}
      >
        {({ pages, ...loaded }) => (
          <div className={list.frame} style={{ ['--list-columns' as string]: columns }}>
            <div className={list.head}>
              <span />
              <span>Name</span>
              {isEvents ? (
                <>
                  <span>Last 30 days</span>
                  <span>Last seen</span>
                </>
              ) : (
                <span>Type</span>
              )}
              <span>Tags</span>
              <span>Status</span>
            </div>
            <Windowed label={LABELS[tab]} pages={pages.pages} row={row} {...loaded} />
          </div>
        )}
      </ListResults>
      {opened && (
        <DefinitionDrawer
          key={opened.id}
          tab={tab}
          definition={opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}

function NoDefinitions({ tab, isVerified }: { readonly tab: Tab; readonly isVerified: boolean }) {
  if (isVerified) {
    return (
      <EmptyState icon={IconTags} title="Nothing verified yet">
        Open a name and verify it. Verified names come first in every picker.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={IconTags} title={`No ${LABELS[tab].toLowerCase()} yet`}>
      {tab === 'events'
        ? 'Names appear here with the first events.'
        : 'Names appear here with the first events or persons that have properties.'}
    </EmptyState>
  )
}
