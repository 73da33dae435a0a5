import { Parts } from '../settings/shared/section.tsx'
import { AlertsPart } from './alerts-part.tsx'
import { SubscriptionsPart } from './subscriptions-part.tsx'

/** In the settings: all of the project's. */
export const AlertsSection = () => (
  <Parts>
    <AlertsPart />
    <SubscriptionsPart />
  </Parts>
)
