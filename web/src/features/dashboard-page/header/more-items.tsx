import { Menu } from '@mantine/core'
import {
  IconActivity,
  IconBell,
  IconCalendar,
  IconCopy,
  IconDeviceTv,
  IconDownload,
  IconMaximize,
  IconMessage,
  IconRefresh,
  IconShare,
  IconTemplate,
  IconTrash,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { useCanExport, useProjectId } from '../../../api/project.ts'
import { isAdmin, useMe } from '../../../api/session.ts'
import { confirm } from '../../../ui/dialog/confirm.tsx'
import { dashboardPath, useTrashDashboard } from '../api.ts'
import { useDashboardContext } from '../context.ts'
import { useCommentsDrawer } from '../use-comments-drawer.ts'
import { useFullScreen } from '../use-full-screen.ts'
import { useDuplicateDashboard } from './api.ts'
import type { MoreMenuProps, OpenDialog } from './more-menu.tsx'

const FORMATS = ['png', 'pdf', 'csv', 'json'] as const

interface MoreItemsProps extends MoreMenuProps {
  readonly onOpen: (dialog: OpenDialog) => void
}

/** The items of the dashboard's menu. */
export function MoreItems({ dashboard, onRefresh, onShare, onOpen }: MoreItemsProps) {
  const { isPhone, canEdit, isViewer } = useDashboardContext()
  const canExport = useCanExport()
  const { toggle } = useFullScreen()
  const comments = useCommentsDrawer()
  const admin = isAdmin(useMe())
  const duplicate = useDuplicate(dashboard)
  const trash = useMoveToTrash(dashboard)
  const path = `${dashboardPath(useProjectId(), dashboard.id)}/export`
  return (
    <>
      {isPhone && (
        <>
          <Menu.Item leftSection={<IconRefresh size={16} />} onClick={onRefresh}>
            Refresh
          </Menu.Item>
          {!isViewer && (
            <Menu.Item leftSection={<IconShare size={16} />} onClick={onShare}>
              Share
            </Menu.Item>
          )}
        </>
      )}
      <Menu.Item leftSection={<IconMaximize size={16} />} rightSection="F" onClick={toggle}>
        Full screen
      </Menu.Item>
      <Menu.Item leftSection={<IconDeviceTv size={16} />} onClick={() => onOpen('tv')}>
        TV mode…
      </Menu.Item>
      <Menu.Item leftSection={<IconMessage size={16} />} onClick={comments.open}>
        Comments
      </Menu.Item>
      {!isViewer && (
        <>
          <Menu.Item leftSection={<IconActivity size={16} />} onClick={() => onOpen('activity')}>
            Activity
          </Menu.Item>
          <Menu.Item leftSection={<IconBell size={16} />} onClick={() => onOpen('subscriptions')}>
            Subscriptions
          </Menu.Item>
          <Menu.Item leftSection={<IconCalendar size={16} />} onClick={() => onOpen('annotations')}>
            Annotations
          </Menu.Item>
        </>
      )}
      {canExport && (
        <>
          <Menu.Divider />
          <Menu.Label>Export</Menu.Label>
          {FORMATS.map((format) => (
            <Menu.Item
              key={format}
              component="a"
              href={`${path}.${format}`}
              download
              leftSection={<IconDownload size={16} />}
            >
              {format.toUpperCase()}
            </Menu.Item>
          ))}
        </>
      )}
      {!isViewer && (
        <>
          <Menu.Divider />
          <Menu.Item leftSection={<IconCopy size={16} />} onClick={duplicate}>
            Duplicate
          </Menu.Item>
        </>
      )}
      {admin && (
        <Menu.Item leftSection={<IconTemplate size={16} />} onClick={() => onOpen('template')}>
          Save as template
        </Menu.Item>
      )}
      {canEdit && (
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={trash}>
          Move to trash
        </Menu.Item>
      )}
    </>
  )
}

function useDuplicate(dashboard: Dashboard): () => void {
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const { mutate } = useDuplicateDashboard()
  return () =>
    mutate(dashboard, {
      onSuccess: ({ id }) =>
        void navigate({
          to: '/project/$projectId/dashboards/$dashboardId',
          params: { projectId, dashboardId: `${id}` },
        }),
    })
}

function useMoveToTrash(dashboard: Dashboard): () => Promise<void> {
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const { mutate } = useTrashDashboard(dashboard.id)
  return async () => {
    const isSure = await confirm({
      title: `Move “${dashboard.name || 'Untitled dashboard'}” to trash?`,
      message: 'Its public link stops working. You can restore it from the trash.',
      yes: 'Move to trash',
      isDangerous: true,
    })
    if (!isSure) return
    const toList = () =>
      void navigate({ to: '/project/$projectId/dashboards', params: { projectId } })
    mutate({ deleted: true }, { onSuccess: toList })
  }
}
