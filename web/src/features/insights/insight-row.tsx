import { Anchor, Menu, Text } from '@mantine/core'
import { IconLayoutDashboard, IconStar, IconStarFilled } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { memo } from 'react'
import { toInsightTitle } from '#model/insight-title.ts'
import { CAN_EDIT } from '#model/levels.ts'
import { useIsViewer, useProjectId } from '../../api/project.ts'
import { notify } from '../../ui/dialog/notify.ts'
import classes from '../../ui/list/list.module.css'
import { MarkButton } from '../../ui/list/mark-button.tsx'
import { RowActions } from '../../ui/list/row-actions.tsx'
import { RowMenu } from '../../ui/list/row-menu.tsx'
import { RowTime } from '../../ui/list/row-time.tsx'
import { TagList } from '../../ui/list/tags.tsx'
import { moveWithUndo } from '../../ui/list/undo.tsx'
import { InsightKind } from './insight-kind.tsx'
import { type InsightItem, useDuplicateInsight, useUpdateInsight } from './list-api.ts'

export interface InsightDialog {
  readonly kind: 'tags' | 'dashboard'
  readonly item: InsightItem
}

interface InsightRowProps {
  readonly item: InsightItem
  /** Dashboard names by id. */
  readonly names: ReadonlyMap<number, string>
  readonly onPickTag: (tag: string) => void
  readonly onDialog: (dialog: InsightDialog) => void
}

export const InsightListRow = memo(function InsightRow({ item, names, ...row }: InsightRowProps) {
  const projectId = `${useProjectId()}`
  return (
    <li className={classes.row}>
      <InsightKind query={item.query as Readonly<Record<string, unknown>>} />
      <div className={classes.main}>
        <Link
          className={classes.name}
          to="/project/$projectId/insights/$shortId"
          params={{ projectId, shortId: item.short_id }}
          preload={false}
        >
          {toInsightTitle(item)}
        </Link>
        {item.description && <p className={classes.about}>{item.description}</p>}
      </div>
      <Places item={item} names={names} />
      <div className={`${classes.tags} ${classes.notPhone}`}>
        <TagList tags={item.tags} onPick={row.onPickTag} />
      </div>
      <RowTime time={item.last_modified_at} />
      <FavoriteButton item={item} />
      <RowMenu label={`Actions for ${toInsightTitle(item)}`}>
        {() => <Actions item={item} onDialog={row.onDialog} />}
      </RowMenu>
    </li>
  )
})

const SHOWN = 2

function Places({ item, names }: Pick<InsightRowProps, 'item' | 'names'>) {
  const projectId = `${useProjectId()}`
  const others = item.dashboards.length - SHOWN
  return (
    <Text size="sm" c="dimmed" component="div" className={`${classes.main} ${classes.wide}`}>
      {item.dashboards.slice(0, SHOWN).map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Anchor
            size="sm"
            style={{ overflowWrap: 'anywhere' }}
            renderRoot={(props) => (
              <Link
                to="/project/$projectId/dashboards/$dashboardId"
                params={{ projectId, dashboardId: `${id}` }}
                preload={false}
                {...props}
              />
            )}
          >
            {names.get(id) ?? `Dashboard ${id}`}
          </Anchor>
        </span>
      ))}
      {others > 0 && ` and ${others} more`}
      {item.dashboards.length === 0 && <span className={classes.notPhone}>Not on a dashboard</span>}
    </Text>
  )
}

function FavoriteButton({ item }: { readonly item: InsightItem }) {
  const change = useUpdateInsight()
  if (item.deleted) return <span />
  return (
    <MarkButton
      isMarked={item.favorited}
      label={`${item.favorited ? 'Remove from' : 'Add to'} favorites: ${toInsightTitle(item)}`}
      disabled={item.effective_privilege_level !== CAN_EDIT}
      onClick={() => change.mutate({ id: item.id, change: { favorited: !item.favorited } })}
    >
      {item.favorited ? <IconStarFilled size={16} /> : <IconStar size={16} />}
    </MarkButton>
  )
}

function Actions({ item, onDialog }: Pick<InsightRowProps, 'item' | 'onDialog'>) {
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const { mutateAsync } = useUpdateInsight()
  const duplicate = useDuplicateInsight()
  const isViewer = useIsViewer()
  const open = () =>
    navigate({
      to: '/project/$projectId/insights/$shortId',
      params: { projectId, shortId: item.short_id },
    })
  const trash = () =>
    moveWithUndo(`“${toInsightTitle(item)}”`, !item.deleted, (deleted) =>
      mutateAsync({ id: item.id, change: { deleted } }),
    )
  return (
    <RowActions
      isDeleted={item.deleted}
      isLocked={item.effective_privilege_level !== CAN_EDIT}
      onOpen={() => void open()}
      onDuplicate={
        isViewer
          ? undefined
          : () =>
              duplicate.mutate(item.id, {
                onSuccess: (copy) => notify({ message: `Created “${toInsightTitle(copy)}”` }),
              })
      }
      onEditTags={() => onDialog({ kind: 'tags', item })}
      onTrash={() => void trash()}
    >
      <Menu.Item
        leftSection={<IconLayoutDashboard size={16} />}
        disabled={isViewer}
        onClick={() => onDialog({ kind: 'dashboard', item })}
      >
        Add to dashboard
      </Menu.Item>
    </RowActions>
  )
}
