import { Drawer } from '@mantine/core'
import { onlyOnTop } from '../../ui/close-if-topmost.ts'
import { Parts } from '../settings/shared/section.tsx'
import { AlertsPart } from './alert-list.tsx'
import type { Subject } from './api.ts'
import { SubscriptionsPart } from './subscription-list.tsx'

interface NoticesDrawerProps {
  readonly of: Subject
  readonly onClose: () => void
}

/** Alerts and subscriptions of an insight, or subscriptions of a dashboard. */
export function NoticesDrawer({ of, onClose }: NoticesDrawerProps) {
  return (
    <Drawer
      opened
      onClose={onlyOnTop(onClose)}
      position="right"
      size="lg"
      title={of.name}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Parts>
        {of.insight !== undefined && <AlertsPart of={of} />}
        <SubscriptionsPart of={of} />
      </Parts>
    </Drawer>
  )
}
