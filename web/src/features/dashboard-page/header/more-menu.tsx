import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import { LazyMenu } from '../../../ui/page/lazy-menu.tsx'
import { loadDialogs } from '../load-dialogs.ts'

const MoreItems = lazyComponent(async () => (await loadDialogs()).MoreItems)
const AnnotationsDialog = lazyComponent(async () => (await loadDialogs()).AnnotationsDialog)
const ActivityDrawer = lazyComponent(async () => (await loadDialogs()).ActivityDrawer)
const NotificationsDrawer = lazyComponent(async () => (await loadDialogs()).NotificationsDrawer)
const TvDialog = lazyComponent(async () => (await loadDialogs()).TvDialog)
const TemplateDialog = lazyComponent(async () => (await loadDialogs()).CreateTemplateDialog)

export interface MoreMenuProps {
  readonly dashboard: Dashboard
  readonly onRefresh: () => void
  readonly onShare: () => void
}

export type OpenDialog = 'activity' | 'annotations' | 'subscriptions' | 'template' | 'tv'

export function DashboardMenu(props: MoreMenuProps) {
  const { id, name } = props.dashboard
  const [open, setOpen] = useState<OpenDialog>()
  const close = () => setOpen(undefined)
  return (
    <>
      <LazyMenu
        width={220}
        button={
          <ActionIcon variant="default" size={30} aria-label="More actions">
            <IconDots size={16} />
          </ActionIcon>
        }
      >
        {() => <MoreItems {...props} onOpen={setOpen} />}
      </LazyMenu>
      {open === 'activity' && <ActivityDrawer dashboardId={id} onClose={close} />}
      {open === 'annotations' && <AnnotationsDialog of={{ dashboard: id }} onClose={close} />}
      {open === 'subscriptions' && (
        <NotificationsDrawer
          of={{ dashboard: id, name: name || 'Untitled dashboard' }}
          onClose={close}
        />
      )}
      {open === 'tv' && <TvDialog dashboardId={id} onClose={close} />}
      {open === 'template' && <TemplateDialog dashboard={props.dashboard} onClose={close} />}
    </>
  )
}
