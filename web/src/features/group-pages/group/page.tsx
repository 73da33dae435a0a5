import { Box, Group as Row, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconBuilding } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiError, withQuery } from '../../../api/client.ts'
import { useProjectId } from '../../../api/project.ts'
import { CopyCurl } from '../../../ui/page/copy-curl.tsx'
import { WIDE } from '../../../ui/page/page.tsx'
import { PageTabs } from '../../../ui/page/page-tabs.tsx'
import { EmptyState, QueryContent } from '../../../ui/page/states.tsx'
import { TimeAgo } from '../../../ui/page/time-ago.tsx'
import { ActivityTimeline, useItemActivity } from '../../activity/timeline.tsx'
import { toLine } from '../../events/values.ts'
import { useGroupTypes } from '../../groups/api.ts'
import { PropertiesTab } from '../../persons/person/properties-tab.tsx'
import {
  type Group,
  type GroupId,
  toGroupName,
  toGroupsPath,
  toTypeName,
  useChangeGroup,
  useGroup,
} from '../api.ts'
import classes from '../groups.module.css'
import type { GroupTab } from '../search.ts'
import { EventsTab } from './events-tab.tsx'
import { PersonsTab } from './persons-tab.tsx'

const route = getRouteApi('/project/$projectId/groups/$typeIndex/$groupKey')

/** A group that only events name has no properties, but events and persons. */
export function GroupPage() {
  const { typeIndex, groupKey } = route.useParams()
  const id = { group_type_index: Number(typeIndex), group_key: groupKey }
  const group = useGroup(id)
  const isUnnamed = group.error instanceof ApiError && group.error.status === 404
  if (!group.data && !isUnnamed) return <QueryContent query={group}>{() => null}</QueryContent>
  return <GroupContent key={`${typeIndex} ${groupKey}`} id={id} group={group.data} />
}

interface GroupContentProps {
  readonly id: GroupId
  /** Undefined if no `$groupidentify` came. */
  readonly group: Group | undefined
}

function GroupContent({ id, group }: GroupContentProps) {
  const params = route.useParams()
  const { tab = 'events' } = route.useSearch()
  const navigate = route.useNavigate()
  const panels: readonly (readonly [GroupTab, string, ReactNode])[] = [
    ['events', 'Events', <EventsTab key="events" id={id} />],
    [
      'properties',
      'Properties',
      group ? (
        <Properties key="properties" id={id} group={group} />
      ) : (
        <NoProfile key="properties" />
      ),
    ],
    ['persons', 'Persons', <PersonsTab key="persons" id={id} />],
    [
      'activity',
      'Activity',
      group ? <Activities key="activity" id={id} /> : <NoProfile key="activity" />,
    ],
  ]
  return (
    <Box maw={WIDE} mx="auto">
      <GroupHeader id={id} group={group} />
      <PageTabs
        label="Group sections"
        panels={panels}
        value={tab}
        onChange={(next) =>
          void navigate({
            to: '/project/$projectId/groups/$typeIndex/$groupKey',
            params,
            search: next === 'events' ? {} : { tab: next },
            replace: true,
          })
        }
      />
    </Box>
  )
}

function GroupHeader({ id, group }: GroupContentProps) {
  const projectId = useProjectId()
  const { group_type_index: index, group_key: key } = id
  const type = useGroupTypes().find((each) => each.group_type_index === index)
  const name = toLine(group ? toGroupName(group) : key)
  useDocumentTitle(`${name} · Hedgerow`)
  return (
    <Box mb="md">
      <Text size="sm" mb="xs">
        <Link
          className={classes.back}
          to="/project/$projectId/groups"
          params={{ projectId: `${projectId}` }}
          search={{ type: index }}
        >
          {type ? toTypeName(type) : 'Groups'}
        </Link>
      </Text>
      <Row justify="space-between" align="flex-start" gap="sm">
        <Box miw={260} flex={1}>
          <Title order={1} className={classes.name}>
            {name}
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            {name !== key && `${toLine(key)} · `}
            {group ? (
              <>
                First seen <TimeAgo time={group.created_at} />
              </>
            ) : (
              'Known from events only'
            )}
          </Text>
        </Box>
        <CopyCurl path={withQuery(`${toGroupsPath(projectId)}/find`, { ...id })} />
      </Row>
    </Box>
  )
}

function Properties({ id, group }: { readonly id: GroupId; readonly group: Group }) {
  return (
    <PropertiesTab
      isOfGroup
      properties={group.group_properties}
      change={useChangeGroup(id)}
      changeInForm={useChangeGroup(id, { showsError: true })}
    />
  )
}

function Activities({ id }: { readonly id: GroupId }) {
  const { group_type_index: index, group_key } = id
  const path = `${toGroupsPath(useProjectId())}/activity`
  const entries = useItemActivity(path, { group_type_index: `${index}`, group_key })
  return <ActivityTimeline of={entries} empty="Changes to this group appear here." />
}

const NoProfile = () => (
  <EmptyState icon={IconBuilding} title="No properties yet">
    Events name this group, but no call of <code>group</code> has set its properties.
  </EmptyState>
)
