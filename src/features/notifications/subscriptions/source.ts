import { integerId } from '#server/http/params.ts'
import type { NotificationSource } from '../source.ts'
import { subscriptionLog } from './log.ts'
import { toSubscription } from './representation.ts'
import {
  Subscription,
  SubscriptionCreate,
  SubscriptionPatch,
  SubscriptionQuery,
  SubscriptionWithSecret,
} from './schema.ts'
import { deleteSubscription, type SubscriptionRow, updateSubscription } from './store.ts'
import {
  createSubscription,
  getSubscriptionRow,
  listSubscriptions,
  patchSubscription,
  testSubscription,
} from './subscriptions.ts'

export const subscriptionSource: NotificationSource<
  SubscriptionRow,
  Subscription,
  SubscriptionCreate,
  SubscriptionPatch,
  SubscriptionQuery
> = {
  noun: 'Subscription',
  unappliedFilters: ['created_by', 'ordering', 'resource_type', 'search', 'target_type'],
  docs: {
    create: {
      summary: 'Create a subscription',
      description:
        'Sends an insight or a dashboard regularly. `signing_secret` is shown only once.',
    },
    get: { summary: 'Get a subscription' },
    patch: { summary: 'Update a subscription', description: 'Changes only the given fields.' },
    activity: { summary: 'List changes, newest first' },
  },
  schemas: {
    id: integerId('a subscription'),
    item: Subscription,
    itemWithSecret: SubscriptionWithSecret,
    create: SubscriptionCreate,
    patch: SubscriptionPatch,
    query: SubscriptionQuery,
  },
  list: listSubscriptions,
  create: createSubscription,
  patch: patchSubscription,
  test: testSubscription,
  getRow: getSubscriptionRow,
  toItem: toSubscription,
  toItemId: ({ id }) => String(id),
  updateSecret: (tx, row, signing_secret) => updateSubscription(tx, row, { signing_secret }),
  delete: deleteSubscription,
  log: subscriptionLog.logActivity,
}
