import { Parts } from '../settings/shared/section.tsx'
import { AlertsPart } from './alert-list.tsx'
import { SubscriptionsPart } from './subscription-list.tsx'

/** Settings section with all alerts and subscriptions of the project. */
export const AlertsSection = () => (
  <Parts>
    <AlertsPart />
    <SubscriptionsPart />
  </Parts>
)
