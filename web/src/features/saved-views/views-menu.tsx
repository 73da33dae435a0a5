import { Box, Button, Menu } from '@mantine/core'
import {
  IconBookmark,
  IconCheck,
  IconDeviceFloppy,
  IconPencil,
  IconReplace,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { hasFilters } from '../../ui/list/search-params.ts'
import { lazyComponent } from '../../ui/page/lazy-component.tsx'
import { LazyMenu } from '../../ui/page/lazy-menu.tsx'
import {
  type SavedView,
  useDeleteView,
  usePatchView,
  useSavedViews,
  type ViewPlace,
} from './api.ts'
import { isSameView } from './same-view.ts'
import classes from './views-menu.module.css'

const NameDialog = lazyComponent(async () => (await import('./name-dialog.tsx')).NameDialog)

interface ViewsMenuProps {
  readonly place: ViewPlace
  /** The filters shown now. */
  readonly filters: object
  readonly canEdit?: boolean
  readonly size?: 'xs'
  readonly onShow: (filters: object) => void
}

/** Shows saved views, and saves what is shown now as another or in place of one. The button names the view shown. */
export default function ViewsMenu({
  place,
  filters,
  canEdit = true,
  size,
  onShow,
}: ViewsMenuProps) {
  const [naming, setNaming] = useState<Partial<SavedView>>()
  // without filters none is shown, so none is asked for
  const { data: views } = useSavedViews(place, hasFilters(filters))
  const current = views?.find((view) => isSameView(view.filters, filters))
  return (
    <>
      <LazyMenu
        width={240}
        button={
          <Button
            className="no-print"
            {...(size && { size })}
            variant="default"
            leftSection={<IconBookmark size={16} aria-hidden />}
            aria-label={current ? `Views: ${current.name}` : 'Views'}
          >
            <span className={classes.name}>{current?.name ?? 'Views'}</span>
          </Button>
        }
      >
        {() => (
          <ViewItems
            place={place}
            filters={filters}
            canEdit={canEdit}
            onShow={onShow}
            onName={setNaming}
          />
        )}
      </LazyMenu>
      {naming && (
        <NameDialog
          place={place}
          view={naming}
          filters={filters}
          onClose={() => setNaming(undefined)}
        />
      )}
    </>
  )
}

interface ViewItemsProps extends Required<Omit<ViewsMenuProps, 'size'>> {
  /** Asks for the name of a view, or of a new one. */
  readonly onName: (view: Partial<SavedView>) => void
}

function ViewItems({ place, filters, canEdit, onShow, onName }: ViewItemsProps) {
  const { data: views, error } = useSavedViews(place)
  const { mutate: remove } = useDeleteView(place)
  const { mutate: patch } = usePatchView(place)
  const current = views?.find((view) => isSameView(view.filters, filters))
  return (
    <>
      {views === undefined && <Menu.Label>{error ? error.message : 'Loading…'}</Menu.Label>}
      {views?.length === 0 && <Menu.Label>No saved views yet</Menu.Label>}
      {views?.map((view) => (
        <Menu.Item
          key={view.id}
          leftSection={view === current ? <IconCheck size={14} aria-label="Shown" /> : <Blank />}
          onClick={() => onShow(view.filters)}
        >
          {view.name}
        </Menu.Item>
      ))}
      {canEdit && <Menu.Divider />}
      {canEdit && !current && (
        <Menu.Item
          leftSection={<IconDeviceFloppy size={14} aria-hidden />}
          disabled={!hasFilters(filters)}
          onClick={() => onName({})}
        >
          Save this view
        </Menu.Item>
      )}
      {canEdit && !current && hasFilters(filters) && views && views.length > 0 && (
        <Menu.Sub>
          <Menu.Sub.Target>
            <Menu.Sub.Item leftSection={<IconReplace size={14} aria-hidden />}>
              Replace
            </Menu.Sub.Item>
          </Menu.Sub.Target>
          <Menu.Sub.Dropdown>
            {views.map(({ id, name }) => (
              <Menu.Item key={id} onClick={() => patch({ id, filters })}>
                {name}
              </Menu.Item>
            ))}
          </Menu.Sub.Dropdown>
        </Menu.Sub>
      )}
      {canEdit && current && (
        <Menu.Item
          leftSection={<IconPencil size={14} aria-hidden />}
          onClick={() => onName(current)}
        >
          Rename
        </Menu.Item>
      )}
      {canEdit && current && (
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={() => remove(current)}
        >
          Delete “{current.name}”
        </Menu.Item>
      )}
    </>
  )
}

/** Keeps the names in line. */
const Blank = () => <Box component="span" w={14} />
