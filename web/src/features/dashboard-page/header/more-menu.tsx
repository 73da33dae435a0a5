import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconActivity,
  IconBell,
  IconCalendar,
  IconCopy,
  IconDeviceTv,
  IconDots,
  IconDownload,
  IconMaximize,
  IconRefresh,
  IconShare,
  IconTemplate,
  IconTrash,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { isAdmin, useMe } from '../../../api/session.ts'
import { confirm } from '../../../ui/dialog/confirm.tsx'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import { dashboardPath, useDuplicateDashboard, useTrashDashboard } from '../api.ts'
import { useDashboardContext } from '../context.ts'
import { loadDialogs } from '../load-dialogs.ts'
import { useFullScreen } from '../use-full-screen.ts'

const AnnotationsDialog = lazyComponent(async () => (await loadDialogs()).AnnotationsDialog)
const ActivityDrawer = lazyComponent(async () => (await loadDialogs()).ActivityDrawer)
const NotificationsDrawer = lazyComponent(async () => (await loadDialogs()).NotificationsDrawer)
const TvDialog = lazyComponent(async () => (await loadDialogs()).TvDialog)
const TemplateDialog = lazyComponent(async () => (await loadDialogs()).CreateTemplateDialog)

const FORMATS = ['png', 'pdf', 'csv', 'json'] as const

interface MoreMenuProps {
  readonly dashboard: Dashboard
  readonly onRefresh: () => void
  readonly onShare: () => void
}

export function DashboardMenu({ dashboard, onRefresh, onShare }: MoreMenuProps) {
  const { isPhone, canEdit } = useDashboardContext()
  const { toggle } = useFullScreen()
  const [isTvOpen, tv] = useDisclosure()
  const [isLogOpen, log] = useDisclosure()
  const [isSending, sending] = useDisclosure()
  const [isAnnotating, annotating] = useDisclosure()
  const [isTemplating, templating] = useDisclosure()
  const admin = isAdmin(useMe())
  const duplicate = useDuplicate(dashboard)
  const trash = useMoveToTrash(dashboard)
  const path = `${dashboardPath(useProjectId(), dashboard.id)}/export`
  return (
    <>
      <Menu width={220}>
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label="More actions">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isPhone && (
            <>
              <Menu.Item leftSection={<IconRefresh size={16} />} onClick={onRefresh}>
                Refresh
              </Menu.Item>
              <Menu.Item leftSection={<IconShare size={16} />} onClick={onShare}>
                Share
              </Menu.Item>
            </>
          )}
          <Menu.Item leftSection={<IconMaximize size={16} />} rightSection="F" onClick={toggle}>
            Full screen
          </Menu.Item>
          <Menu.Item leftSection={<IconDeviceTv size={16} />} onClick={tv.open}>
            TV mode…
          </Menu.Item>
          <Menu.Item leftSection={<IconActivity size={16} />} onClick={log.open}>
            Activity
          </Menu.Item>
          <Menu.Item leftSection={<IconBell size={16} />} onClick={sending.open}>
            Subscriptions
          </Menu.Item>
          <Menu.Item leftSection={<IconCalendar size={16} />} onClick={annotating.open}>
            Annotations
          </Menu.Item>
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
          <Menu.Divider />
          <Menu.Item leftSection={<IconCopy size={16} />} onClick={duplicate}>
            Duplicate
          </Menu.Item>
          {admin && (
            <Menu.Item leftSection={<IconTemplate size={16} />} onClick={templating.open}>
              Save as template
            </Menu.Item>
          )}
          {canEdit && (
            <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={trash}>
              Move to trash
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isLogOpen && <ActivityDrawer dashboardId={dashboard.id} onClose={log.close} />}
      {isAnnotating && (
        <AnnotationsDialog of={{ dashboard: dashboard.id }} onClose={annotating.close} />
      )}
      {isSending && (
        <NotificationsDrawer
          of={{ dashboard: dashboard.id, name: dashboard.name || 'Untitled dashboard' }}
          onClose={sending.close}
        />
      )}
      {isTvOpen && <TvDialog dashboardId={dashboard.id} onClose={tv.close} />}
      {isTemplating && <TemplateDialog dashboard={dashboard} onClose={templating.close} />}
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
