import { Page } from '../../ui/page/page.tsx'
import { PanelStack } from '../../ui/page/panel.tsx'
import { AlertList } from './alert-list.tsx'
import { SubscriptionList } from './subscription-list.tsx'

/** All alerts and subscriptions of the project. */
export const AlertsPage = () => (
  <Page title="Alerts">
    <PanelStack>
      <AlertList />
      <SubscriptionList isSecondary />
    </PanelStack>
  </Page>
)
