import { Box, MultiSelect, Group as Row, SegmentedControl, Table } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconBuilding, IconColumns3 } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { toPropertyLabel } from '#model/names/property-label.ts'
import { withQuery } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { NothingFound } from '../../ui/list/nothing-found.tsx'
import { SearchBox } from '../../ui/list/search-box.tsx'
import { Card } from '../../ui/page/card.tsx'
import { CopyCurl } from '../../ui/page/copy-curl.tsx'
import { PropertyName } from '../../ui/page/known-name.tsx'
import { Page } from '../../ui/page/page.tsx'
import { EmptyState, QueryContent } from '../../ui/page/states.tsx'
import { TimeAgo } from '../../ui/page/time-ago.tsx'
import { toLine } from '../events/values.ts'
import { useGroupTypes } from '../groups/api.ts'
import { toPropertyNames } from '../persons/columns.ts'
import { AddFilter } from '../properties/add-filter.tsx'
import { FilterForm, type FilterFormProps } from '../properties/filter-form.tsx'
import { FilterPills } from '../properties/filter-pills.tsx'
import type { SavedFilter } from '../properties/filters-model.ts'
import {
  type Group,
  type GroupFilters,
  toGroupName,
  toGroupsPath,
  toTypeName,
  useGroups,
} from './api.ts'
import classes from './groups.module.css'
import type { GroupsSearch } from './search.ts'

const route = getRouteApi('/project/$projectId/groups')

/** More columns would leave no room for values. */
const MAX_COLUMNS = 6
const SUGGESTED = 3

export function GroupsPage() {
  const { type, search, properties } = route.useSearch()
  const navigate = route.useNavigate()
  const projectId = useProjectId()
  const types = useGroupTypes()
  const shown = types.find(({ group_type_index: index }) => index === type) ?? types[0]
  const index = shown?.group_type_index ?? 0
  const show = (next: GroupsSearch) =>
    void navigate({ to: '/project/$projectId/groups', search: next, replace: true })
  const query = {
    ...{ group_type_index: index, search },
    properties: properties && JSON.stringify(properties),
  }
  return (
    <Page
      title="Groups"
      about="Companies, teams and other groups of events, newest first."
      actions={<CopyCurl path={withQuery(toGroupsPath(projectId), query)} />}
    >
      {types.length > 1 && (
        <SegmentedControl
          aria-label="Type of groups"
          mb="sm"
          data={types.map((each) => ({
            value: `${each.group_type_index}`,
            label: toTypeName(each),
          }))}
          value={`${index}`}
          onChange={(chosen) => show({ type: Number(chosen) })}
        />
      )}
      {shown ? (
        <GroupResults
          key={index}
          index={index}
          filters={{ search, properties }}
          onFilter={(filters) => show({ type, ...filters })}
        />
      ) : (
        <NoGroups />
      )}
    </Page>
  )
}

interface GroupResultsProps {
  readonly index: number
  readonly filters: GroupFilters
  readonly onFilter: (filters: GroupFilters) => void
}

function GroupResults({ index, filters, onFilter }: GroupResultsProps) {
  const { search, properties = [] } = filters
  const groups = useGroups(index, filters)
  const setProperties = (next: readonly SavedFilter[]) =>
    onFilter({ search, properties: next.length > 0 ? next : undefined })
  const all = groups.data?.pages.flatMap(({ results }) => results) ?? []
  const known = toPropertyNames(all.map((group) => ({ properties: group.group_properties })))
  const [chosen, choose] = useLocalStorage<readonly string[] | null>({
    key: `hedgerow-group-columns-${useProjectId()}-${index}`,
    defaultValue: null,
  })
  const columns = chosen ?? known.filter(isSuggested).slice(0, SUGGESTED)
  return (
    <>
      <div className={classes.filters}>
        <SearchBox
          label="Search groups"
          value={search}
          onSearch={(text) => onFilter({ ...filters, search: text })}
        />
        <MultiSelect
          aria-label="Property columns"
          placeholder={columns.length > 0 ? undefined : 'Property columns'}
          leftSection={<IconColumns3 size={16} aria-hidden />}
          data={[...new Set([...columns, ...known])].map((name) => ({
            value: name,
            label: toPropertyLabel(name),
          }))}
          value={[...columns]}
          onChange={choose}
          maxValues={MAX_COLUMNS}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear columns' }}
          nothingFoundMessage="No matching properties"
          limit={100}
        />
      </div>
      <Row gap="xs" mb="md">
        <FilterPills
          filters={properties}
          onRemove={(removed) => setProperties(properties.filter((one) => one !== removed))}
        />
        <AddFilter
          Form={formOf(index)}
          onAdd={(filter) => setProperties([...properties, filter])}
        />
      </Row>
      <QueryContent query={groups}>
        {() => {
          if (all.length > 0) return <GroupTable groups={all} columns={columns} />
          const clear = () => onFilter({})
          if (!search && properties.length === 0) return <NoGroups />
          return <NothingFound thing="group" searched="key, name or properties" onClear={clear} />
        }}
      </QueryContent>
      <LoadMore query={groups} mt="md" />
    </>
  )
}

/** Names with `$` come from libraries, and the name of a group has its own column. */
const isSuggested = (name: string): boolean => name !== 'name' && !name.startsWith('$')

const forms = new Map<number, ComponentType<FilterFormProps>>()

/** Returns a form for the properties of a type of groups: the same component each time, which keeps what is typed. */
function formOf(index: number): ComponentType<FilterFormProps> {
  const form =
    forms.get(index) ??
    ((props: FilterFormProps) => <FilterForm {...props} types={GROUP_ONLY} groupType={index} />)
  forms.set(index, form)
  return form
}

const GROUP_ONLY = ['group'] as const

interface GroupTableProps {
  readonly groups: readonly Group[]
  readonly columns: readonly string[]
}

function GroupTable({ groups, columns }: GroupTableProps) {
  const projectId = `${useProjectId()}`
  return (
    <Card p={0}>
      <Box className={classes.scroll}>
        <Table aria-label="Groups" verticalSpacing={8} horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Group</Table.Th>
              {columns.map((column) => (
                <Table.Th key={column}>
                  <PropertyName name={column} />
                </Table.Th>
              ))}
              <Table.Th>First seen</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {groups.map((group) => (
              <Table.Tr key={group.group_key}>
                <Table.Td>
                  <Link
                    className={classes.link}
                    to="/project/$projectId/groups/$typeIndex/$groupKey"
                    params={{
                      projectId,
                      typeIndex: `${group.group_type_index}`,
                      groupKey: group.group_key,
                    }}
                    preload={false}
                    title={group.group_key}
                  >
                    {toLine(toGroupName(group))}
                  </Link>
                </Table.Td>
                {columns.map((column) => (
                  <Table.Td key={column}>{toCell(group.group_properties, column)}</Table.Td>
                ))}
                <Table.Td className={classes.time}>
                  <TimeAgo time={group.created_at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </Card>
  )
}

const toCell = (properties: Group['group_properties'], name: string): string =>
  Object.hasOwn(properties, name) ? toLine(properties[name], 60) : ''

const NoGroups = () => (
  <EmptyState icon={IconBuilding} title="No groups yet">
    A group appears when your app calls <code>group</code>, for example with the company of the
    person who signed in.
  </EmptyState>
)
