import { MultiSelect } from '@mantine/core'
import { IconColumns3, IconUsers } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { withQuery } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { filterNames, renderName } from '../../ui/form/name-options.tsx'
import { SearchBox } from '../../ui/list/search-box.tsx'
import { CopyCurl } from '../../ui/page/copy-curl.tsx'
import { Page } from '../../ui/page/page.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { toPropertyOption } from '../definitions/name-option.ts'
import { type Person, toPersonsPath, usePersons } from './api.ts'
import { MAX_COLUMNS, useColumns } from './columns.ts'
import { PersonResults } from './person-list.tsx'
import classes from './persons.module.css'

const route = getRouteApi('/project/$projectId/persons')
const NONE: readonly Person[] = []

export function PersonsPage() {
  const { search } = route.useSearch()
  const navigate = route.useNavigate()
  const path = withQuery(toPersonsPath(useProjectId()), { search })
  const persons = usePersons({ search })
  const { known, columns, choose } = useColumns(persons.data?.pages[0]?.results ?? NONE)
  const find = (text: string | undefined) =>
    void navigate({ to: '/project/$projectId/persons', search: { search: text }, replace: true })
  return (
    <Page
      title="Persons"
      about="Everyone who caused events, newest first."
      actions={<CopyCurl path={path} />}
    >
      <div className={classes.filters}>
        <SearchBox label="Search persons" value={search} onSearch={find} />
        <MultiSelect
          aria-label="Property columns"
          placeholder={columns.length > 0 ? undefined : 'Property columns'}
          leftSection={<IconColumns3 size={16} aria-hidden />}
          data={[...new Set([...columns, ...known])].map((name) => toPropertyOption(name))}
          filter={filterNames}
          renderOption={renderName}
          value={[...columns]}
          onChange={choose}
          maxValues={MAX_COLUMNS}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear columns' }}
          nothingFoundMessage={known.length > 0 ? 'No matching properties' : 'No properties yet'}
          limit={100}
        />
      </div>
      <PersonResults
        columns={columns}
        query={persons}
        search={search}
        onSearch={find}
        empty={<NoPersons />}
      />
    </Page>
  )
}

const NoPersons = () => (
  <EmptyState icon={IconUsers} title="No persons yet">
    A person appears with the first event of a distinct ID. When somebody signs in and your app
    calls <code>identify</code>, the events before and after count for one person.
  </EmptyState>
)
