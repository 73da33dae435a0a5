import { Parts } from '../settings/shared/section.tsx'
import { AlertsPart } from './alerts-part.tsx'
import { SubscriptionsPart } from './subscriptions-part.tsx'

/** Settings section with all alerts and subscriptions of the project. */
export const AlertsSection = () => (
  <Parts>
    <AlertsPart />
    <SubscriptionsPart />
  </Parts>
)
