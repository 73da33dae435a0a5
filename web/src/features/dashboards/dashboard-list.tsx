import { Checkbox } from '@mantine/core'
import {
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  useCallback,
  useMemo,
  useState,
} from 'react'
import type { Page } from '../../api/client.ts'
import classes from '../../ui/list/list.module.css'
import { showUndo } from '../../ui/list/undo.tsx'
import { Windowed } from '../../ui/list/windowed.tsx'
import { type DashboardItem, useUpdateDashboards } from './api.ts'
import { BulkBar } from './bulk-bar.tsx'
import { DashboardRow, dashboardName, type RowDialog } from './dashboard-row.tsx'
import { EditTagsDialog } from './edit-tags-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'

interface DashboardListProps {
  readonly pages: readonly Page<DashboardItem>[]
  readonly isTrash: boolean
  readonly selected: ReadonlySet<number>
  readonly onSelect: Dispatch<SetStateAction<ReadonlySet<number>>>
  readonly onPickTag: (tag: string) => void
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly onMore: () => void
}

const COLUMNS = '20px minmax(0, 3fr) minmax(0, 2fr) 130px 120px 28px 28px'

export function DashboardList({ pages, isTrash, selected, onSelect, ...list }: DashboardListProps) {
  const [dialog, setDialog] = useState<RowDialog>()
  const closeDialog = useCallback(() => setDialog(undefined), [])
  const items = useMemo(() => pages.flatMap(({ results }) => results), [pages])
  const chosen = items.filter(({ id }) => selected.has(id))
  const moveToTrash = useMoveToTrash()
  const { onPickTag } = list
  const select = useCallback(
    (id: number, isSelected: boolean) => onSelect((ids) => withId(ids, id, isSelected)),
    [onSelect],
  )
  const trash = useCallback(
    (item: DashboardItem) => void moveToTrash([item], !item.deleted).catch(() => undefined),
    [moveToTrash],
  )
  const row = useCallback(
    (item: DashboardItem): ReactNode => (
      <DashboardRow
        key={item.id}
        item={item}
        isSelected={selected.has(item.id)}
        onSelect={select}
        onPickTag={onPickTag}
        onDialog={setDialog}
        onTrash={trash}
      />
    ),
    [selected, select, onPickTag, trash],
  )
  return (
    <>
      <div className={classes.frame} style={{ ['--list-columns' as string]: COLUMNS }}>
        <div className={classes.head}>
          <Checkbox
            size="xs"
            aria-label="Select all loaded dashboards"
            checked={chosen.length > 0 && chosen.length === items.length}
            indeterminate={chosen.length > 0 && chosen.length < items.length}
            onChange={(event) =>
              onSelect(new Set(event.currentTarget.checked ? items.map(({ id }) => id) : []))
            }
          />
          <span>Name</span>
          <span>Tags</span>
          <span>Created by</span>
          <span>{isTrash ? 'Deleted' : 'Last modified'}</span>
        </div>
        <Windowed label="Dashboards" pages={pages} row={row} {...list} />
      </div>
      {chosen.length > 0 && (
        <BulkBar
          items={chosen}
          isTrash={isTrash}
          onDone={() => onSelect(new Set())}
          onTrash={(deleted) => void moveToTrash(chosen, deleted).catch(() => undefined)}
        />
      )}
      {dialog?.kind === 'rename' && <RenameDialog item={dialog.item} onClose={closeDialog} />}
      {dialog?.kind === 'tags' && <EditTagsDialog item={dialog.item} onClose={closeDialog} />}
    </>
  )
}

function withId(ids: ReadonlySet<number>, id: number, isIn: boolean): ReadonlySet<number> {
  const others = [...ids].filter((one) => one !== id)
  return new Set(isIn ? [...others, id] : others)
}

/** Moves to trash or restores, and offers to undo. */
function useMoveToTrash() {
  const { mutateAsync } = useUpdateDashboards()
  return useCallback(
    async (items: readonly DashboardItem[], deleted: boolean): Promise<void> => {
      const ids = items.map(({ id }) => id)
      const move = (to: boolean) => mutateAsync({ ids, change: () => ({ deleted: to }) })
      await move(deleted)
      const [first] = items
      const what =
        items.length === 1 && first ? `“${dashboardName(first)}”` : `${items.length} dashboards`
      showUndo(
        deleted ? `${what} moved to trash` : `${what} restored`,
        () => void move(!deleted).catch(() => undefined),
      )
    },
    [mutateAsync],
  )
}
