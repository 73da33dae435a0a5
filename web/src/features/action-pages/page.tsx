import { Button, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconPlus, IconTarget, IconTrash } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useProjectId } from '../../api/project.ts'
import list from '../../ui/list/list.module.css'
import { ListResults, TrashFilters } from '../../ui/list/list-page.tsx'
import type { TrashSearch } from '../../ui/list/trash-search.ts'
import { Windowed } from '../../ui/list/windowed.tsx'
import { Page } from '../../ui/page/page.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { TimeAgo } from '../../ui/page/time-ago.tsx'
import { userName } from '../../ui/page/user-name.ts'
import { type Action, useActions } from '../actions/api.ts'
import classes from './actions.module.css'
import { describeStep } from './sentence.ts'

const route = getRouteApi('/project/$projectId/actions')
const COLUMNS = '20px minmax(0, 2fr) minmax(0, 3fr) minmax(0, 1fr) 120px'

const row = (action: Action) => <ActionRow key={action.id} action={action} />

export function ActionsPage() {
  const search = route.useSearch()
  const { projectId } = route.useParams()
  const navigate = route.useNavigate()
  const create = () =>
    void navigate({
      to: '/project/$projectId/actions/$actionId',
      params: { projectId, actionId: 'new' },
    })
  useHotkeys([['n', create]])
  const show = (change: TrashSearch) =>
    void navigate({
      to: '/project/$projectId/actions',
      search: { ...search, ...change },
      replace: true,
    })
  return (
    <Page
      title="Actions"
      about="Several events under one name."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={create}>
          New action
        </Button>
      }
    >
      <TrashFilters label="Search actions" search={search} onChange={show} />
      <ListResults
        thing="action"
        searched="name, description or tags"
        search={search}
        onChange={() => show({ search: undefined })}
        query={useActions(search)}
        empty={<NoActions isTrash={search.view === 'trash'} />}
      >
        {({ pages, ...loaded }) => (
          <div className={list.frame} style={{ ['--list-columns' as string]: COLUMNS }}>
            <div className={list.head}>
              <span />
              <span>Name</span>
              <span>Events</span>
              <span>Created by</span>
              <span>Created</span>
            </div>
            <Windowed label="Actions" pages={pages.pages} row={row} {...loaded} />
          </div>
        )}
      </ListResults>
    </Page>
  )
}

const ActionRow = memo(function ActionRow({ action }: { readonly action: Action }) {
  const projectId = `${useProjectId()}`
  const { id, name, description, steps, created_by, created_at } = action
  const words = steps.map(describeStep).join(', or ')
  return (
    <li className={list.row}>
      <IconTarget className={classes.icon} size={18} stroke={1.6} aria-hidden />
      <div className={list.main}>
        <Link
          className={list.name}
          to="/project/$projectId/actions/$actionId"
          params={{ projectId, actionId: `${id}` }}
          preload={false}
        >
          {name}
        </Link>
        {description && (
          <Text size="xs" c="dimmed" className={list.about}>
            {description}
          </Text>
        )}
      </div>
      <span className={classes.cell} title={words}>
        {words}
      </span>
      <span className={classes.cell}>{created_by && userName(created_by)}</span>
      <TimeAgo time={created_at} className={`${list.ago} ${classes.cell}`} />
    </li>
  )
})

const NoActions = ({ isTrash }: { readonly isTrash: boolean }) =>
  isTrash ? (
    <EmptyState icon={IconTrash} title="The trash is empty">
      Deleted actions appear here and can be restored.
    </EmptyState>
  ) : (
    <EmptyState icon={IconTarget} title="No actions yet">
      An action gives several events one name, such as “Bought”. Insights, goals and cohorts count
      it like an event.
    </EmptyState>
  )
