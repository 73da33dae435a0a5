import { Drawer } from '@mantine/core'
import { PanelStack } from '../../ui/page/panel.tsx'
import { AlertList } from './alert-list.tsx'
import type { Subject } from './lists.ts'
import { SubscriptionList } from './subscription-list.tsx'

interface NotificationsDrawerProps {
  readonly of: Subject
  readonly onClose: () => void
}

/** Alerts and subscriptions of an insight, or subscriptions of a dashboard. */
export function NotificationsDrawer({ of, onClose }: NotificationsDrawerProps) {
  return (
    <Drawer
      opened
      onClose={closeIfTopmost(onClose)}
      position="right"
      size="lg"
      title={of.name}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <PanelStack>
        {of.insight !== undefined && <AlertList of={of} />}
        <SubscriptionList of={of} />
      </PanelStack>
    </Drawer>
  )
}

/** Closes only the topmost dialog: Escape reaches every open one. */
const closeIfTopmost = (onClose: () => void) => (): void => {
  if (document.querySelectorAll('[role="dialog"][aria-modal="true"]').length < 2) onClose()
}
