import { Menu } from '@mantine/core'
import { IconLink, IconPencil, IconPin, IconPinFilled, IconWorld } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { memo } from 'react'
import { CAN_EDIT } from '#model/levels.ts'
import { useIsViewer, useProjectId } from '../../api/project.ts'
import { notify } from '../../ui/dialog/notify.ts'
import classes from '../../ui/list/list.module.css'
import { MarkButton } from '../../ui/list/mark-button.tsx'
import { RowActions } from '../../ui/list/row-actions.tsx'
import { RowCheckbox } from '../../ui/list/row-checkbox.tsx'
import { RowMenu } from '../../ui/list/row-menu.tsx'
import { RowTime } from '../../ui/list/row-time.tsx'
import { TagList } from '../../ui/list/tags.tsx'
import { type DashboardItem, useDuplicateListed, useShareLink } from './api.ts'

export interface RowDialog {
  readonly kind: 'rename' | 'tags'
  readonly item: DashboardItem
}

interface DashboardRowProps {
  readonly item: DashboardItem
  readonly isSelected: boolean
  readonly onSelect: (id: number, isSelected: boolean) => void
  readonly onPickTag: (tag: string) => void
  readonly onDialog: (dialog: RowDialog) => void
  /** Pins, or unpins. */
  readonly onPin: (item: DashboardItem) => void
  /** Moves to trash, or restores. */
  readonly onTrash: (item: DashboardItem) => void
}

export const dashboardName = ({ name }: Pick<DashboardItem, 'name'>): string =>
  name || 'Untitled dashboard'

export const canEditDashboard = (item: DashboardItem): boolean =>
  item.effective_privilege_level === CAN_EDIT

/** Memoized, because a list has hundreds of rows. */
export const DashboardListRow = memo(function DashboardRow({
  item,
  isSelected,
  onSelect,
  ...row
}: DashboardRowProps) {
  const projectId = `${useProjectId()}`
  const creator = item.created_by
  return (
    <li className={classes.row} data-selected={isSelected || undefined}>
      <RowCheckbox
        label={`Select ${dashboardName(item)}`}
        checked={isSelected}
        onChange={(checked) => onSelect(item.id, checked)}
      />
      <div className={classes.main}>
        <Link
          className={classes.name}
          to="/project/$projectId/dashboards/$dashboardId"
          params={{ projectId, dashboardId: `${item.id}` }}
          preload={false}
        >
          {dashboardName(item)}
        </Link>
        {item.is_shared && <SharedMark />}
        {item.description && <p className={classes.about}>{item.description}</p>}
      </div>
      <div className={`${classes.tags} ${classes.wide}`}>
        <TagList tags={item.tags} onPick={row.onPickTag} />
      </div>
      <p className={`${classes.creator} ${classes.notPhone}`}>
        {creator ? creator.first_name || creator.email : ''}
      </p>
      <RowTime time={item.last_modified_at} />
      <PinButton item={item} onPin={row.onPin} />
      <RowMenu label={`Actions for ${dashboardName(item)}`}>
        {() => <Actions item={item} {...row} />}
      </RowMenu>
    </li>
  )
})

function SharedMark() {
  return (
    <span
      className={classes.shared}
      role="img"
      aria-label="Shared publicly"
      title="Anyone with the link can view"
    >
      <IconWorld size={14} />
    </span>
  )
}

function PinButton({ item, onPin }: Pick<DashboardRowProps, 'item' | 'onPin'>) {
  if (item.deleted) return <span />
  return (
    <MarkButton
      isMarked={item.pinned}
      label={`${item.pinned ? 'Unpin' : 'Pin'} ${dashboardName(item)}`}
      disabled={!canEditDashboard(item)}
      onClick={() => onPin(item)}
    >
      {item.pinned ? <IconPinFilled size={16} /> : <IconPin size={16} />}
    </MarkButton>
  )
}

type ActionsProps = Pick<DashboardRowProps, 'item' | 'onDialog' | 'onTrash'>

function Actions({ item, onDialog, onTrash }: ActionsProps) {
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const duplicate = useDuplicateListed()
  const shareLink = useShareLink()
  const isLocked = !canEditDashboard(item)
  const isViewer = useIsViewer()
  const open = () =>
    navigate({
      to: '/project/$projectId/dashboards/$dashboardId',
      params: { projectId, dashboardId: `${item.id}` },
    })
  const copyLink = async () => {
    await navigator.clipboard.writeText(await shareLink(item.id))
    notify({ message: 'Public link copied' })
  }
  return (
    <RowActions
      isDeleted={item.deleted}
      isLocked={isLocked}
      onOpen={() => void open()}
      onDuplicate={
        isViewer
          ? undefined
          : () => void duplicate(item).then(({ name }) => showCreated(name), showError)
      }
      onEditTags={() => onDialog({ kind: 'tags', item })}
      onTrash={() => onTrash(item)}
    >
      <Menu.Item
        leftSection={<IconPencil size={16} />}
        disabled={isLocked}
        onClick={() => onDialog({ kind: 'rename', item })}
      >
        Rename
      </Menu.Item>
      {item.is_shared && !isViewer && (
        <Menu.Item
          leftSection={<IconLink size={16} />}
          onClick={() => void copyLink().catch(showError)}
        >
          Copy public link
        </Menu.Item>
      )}
    </RowActions>
  )
}

const showCreated = (name: string) => notify({ message: `Created “${dashboardName({ name })}”` })

const showError = (error: Error) =>
  notify({ color: 'red', title: 'Something went wrong', message: error.message })
