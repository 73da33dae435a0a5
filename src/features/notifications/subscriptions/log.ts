import { defineLog } from '#server/features/activity/log.ts'
import { maskTarget, toStoredTarget } from '../deliveries/targets.ts'
import { subscriptionResource } from './fields.ts'
import type { SubscriptionRow } from './store.ts'

export const subscriptionLog = defineLog<SubscriptionRow>('Subscription', {
  toItem: ({ id, title }) => ({ id, name: title }),
  toLogged: (row) => ({
    ...subscriptionResource.toLogged(row),
    target_value: maskTarget(toStoredTarget(row.target_type, row.target_value)),
  }),
})
