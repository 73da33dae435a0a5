import { Box, Button } from '@mantine/core'
import { IconUserOff } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiError } from '../../../api/client.ts'
import { useProjectId } from '../../../api/project.ts'
import { Page, WIDE } from '../../../ui/page/page.tsx'
import { PageTabs } from '../../../ui/page/page-tabs.tsx'
import { EmptyState, QueryContent } from '../../../ui/page/states.tsx'
import { toEventSearch } from '../../actions/event-select.tsx'
import { ActivityTimeline, useItemActivity } from '../../activity/timeline.tsx'
import { type Person, toPersonPath, useChangeProperty, usePerson } from '../api.ts'
import type { PersonPageSearch, PersonTab } from '../search.ts'
import { CohortsTab } from './cohorts-tab.tsx'
import { EventsTab } from './events-tab.tsx'
import { PersonHeader } from './header.tsx'
import { IdsTab } from './ids-tab.tsx'
import { PropertiesTab } from './properties-tab.tsx'

const route = getRouteApi('/project/$projectId/persons/$personId')

export function PersonPage() {
  const { personId } = route.useParams()
  const person = usePerson(personId)
  if (person.data) return <PersonContent key={person.data.uuid} person={person.data} />
  const isMissing = person.error instanceof ApiError && person.error.status === 404
  return (
    <Page title="Person">
      {isMissing ? <NotFound /> : <QueryContent query={person}>{() => null}</QueryContent>}
    </Page>
  )
}

function NotFound() {
  const projectId = `${useProjectId()}`
  return (
    <EmptyState
      icon={IconUserOff}
      title="Person not found"
      action={
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link to="/project/$projectId/persons" params={{ projectId }} {...props} />
          )}
        >
          Show all persons
        </Button>
      }
    >
      The person may have been deleted, or merged into another one.
    </EmptyState>
  )
}

function PersonContent({ person }: { readonly person: Person }) {
  const { projectId, personId } = route.useParams()
  const { tab = 'events', event, action } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (search: PersonPageSearch) =>
    void navigate({
      to: '/project/$projectId/persons/$personId',
      params: { projectId, personId },
      search,
      replace: true,
    })
  const ids = person.distinct_ids.length
  const panels: readonly (readonly [PersonTab, string, ReactNode])[] = [
    [
      'events',
      'Events',
      <EventsTab
        key="events"
        person={person}
        event={action ?? event}
        onFilter={(chosen) => show(toEventSearch(chosen))}
      />,
    ],
    ['properties', 'Properties', <PersonProperties key="properties" person={person} />],
    [
      'ids',
      ids > 1 ? `Distinct IDs (${ids})` : 'Distinct ID',
      <IdsTab key="ids" person={person} />,
    ],
    ['cohorts', 'Cohorts', <CohortsTab key="cohorts" person={person} />],
    ['activity', 'Activity', <ActivityTab key="activity" person={person} />],
  ]
  return (
    <Box maw={WIDE} mx="auto">
      <PersonHeader person={person} />
      <PageTabs
        label="Person sections"
        panels={panels}
        value={tab}
        onChange={(next) => show(next === 'events' ? {} : { tab: next })}
      />
    </Box>
  )
}

function PersonProperties({ person }: { readonly person: Person }) {
  return (
    <PropertiesTab
      properties={person.properties}
      change={useChangeProperty(person)}
      changeInForm={useChangeProperty(person, { showsError: true })}
    />
  )
}

function ActivityTab({ person }: { readonly person: Person }) {
  const path = `${toPersonPath(useProjectId(), person.uuid)}/activity`
  return <ActivityTimeline of={useItemActivity(path)} empty="Changes to this person appear here." />
}
