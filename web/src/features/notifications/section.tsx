import { PanelStack } from '../../ui/page/panel.tsx'
import { AlertList } from './alert-list.tsx'
import { SubscriptionList } from './subscription-list.tsx'

/** Settings section with all alerts and subscriptions of the project. */
export const AlertsSection = () => (
  <PanelStack>
    <AlertList />
    <SubscriptionList />
  </PanelStack>
)
