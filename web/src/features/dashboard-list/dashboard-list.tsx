import { Checkbox } from '@mantine/core'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import classes from '../../ui/list/list.module.css'
import type { LoadedList } from '../../ui/list/list-page.tsx'
import { moveWithUndo } from '../../ui/list/undo.tsx'
import type { Selection } from '../../ui/list/use-selection.ts'
import { Windowed } from '../../ui/list/windowed.tsx'
import { type DashboardItem, useUpdateDashboards } from './api.ts'
import { BulkBar } from './bulk-bar.tsx'
import { DashboardListRow, dashboardName, type RowDialog } from './dashboard-row.tsx'
import { EditTagsDialog, RenameDialog } from './row-dialogs.tsx'

interface DashboardListProps extends LoadedList<DashboardItem> {
  readonly isTrash: boolean
  readonly selection: Selection
  readonly onPickTag: (tag: string) => void
}

const COLUMNS = '20px minmax(0, 3fr) minmax(0, 2fr) 130px 120px 28px 28px'

export function DashboardList({ pages, isTrash, selection, ...list }: DashboardListProps) {
  const [dialog, setDialog] = useState<RowDialog>()
  const closeDialog = useCallback(() => setDialog(undefined), [])
  const items = useMemo(() => pages.pages.flatMap(({ results }) => results), [pages])
  const selected = items.filter(({ id }) => selection.ids.has(id))
  const moveToTrash = useMoveToTrash()
  const { onPickTag } = list
  const trash = useCallback(
    (item: DashboardItem) => moveToTrash([item], !item.deleted),
    [moveToTrash],
  )
  const { mutate: update } = useUpdateDashboards()
  const pin = useCallback(
    ({ id, pinned }: DashboardItem) => update({ ids: [id], change: () => ({ pinned: !pinned }) }),
    [update],
  )
  const row = useCallback(
    (item: DashboardItem): ReactNode => (
      <DashboardListRow
        key={item.id}
        item={item}
        isSelected={selection.ids.has(item.id)}
        onSelect={selection.toggle}
        onPickTag={onPickTag}
        onDialog={setDialog}
        onPin={pin}
        onTrash={trash}
      />
    ),
    [selection.ids, selection.toggle, onPickTag, pin, trash],
  )
  return (
    <>
      <div className={classes.frame} style={{ ['--list-columns' as string]: COLUMNS }}>
        <div className={classes.head}>
          <Checkbox
            size="xs"
            aria-label="Select all loaded dashboards"
            checked={selected.length > 0 && selected.length === items.length}
            indeterminate={selected.length > 0 && selected.length < items.length}
            onChange={({ currentTarget }) =>
              selection.set(currentTarget.checked ? items.map(({ id }) => id) : [])
            }
          />
          <span>Name</span>
          <span>Tags</span>
          <span>Created by</span>
          <span>{isTrash ? 'Deleted' : 'Last modified'}</span>
        </div>
        <Windowed label="Dashboards" pages={pages.pages} row={row} {...list} />
      </div>
      {selected.length > 0 && (
        <BulkBar
          items={selected}
          isTrash={isTrash}
          onDone={() => selection.set([])}
          onTrash={(deleted) => moveToTrash(selected, deleted)}
        />
      )}
      {dialog?.kind === 'rename' && <RenameDialog item={dialog.item} onClose={closeDialog} />}
      {dialog?.kind === 'tags' && <EditTagsDialog item={dialog.item} onClose={closeDialog} />}
    </>
  )
}

function useMoveToTrash() {
  const { mutateAsync } = useUpdateDashboards()
  return useCallback(
    (items: readonly DashboardItem[], deleted: boolean): void => {
      const ids = items.map(({ id }) => id)
      const [first] = items
      const what =
        items.length === 1 && first ? `“${dashboardName(first)}”` : `${items.length} dashboards`
      void moveWithUndo(what, deleted, (to) =>
        mutateAsync({ ids, change: () => ({ deleted: to }) }),
      )
    },
    [mutateAsync],
  )
}
