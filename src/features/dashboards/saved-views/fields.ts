import { Type } from 'typebox'
import {
  ActionId,
  choice,
  optional,
  options,
  PropertyFilter,
} from '#model/query-kinds/common.schema.ts'
import { userField } from '#server/features/accounts/users/user-texts.ts'
import { AnyObject, IdInput, Time } from '#server/http/schemas.ts'
import { defineResource } from '#server/resource/resource.ts'

const Text = optional(Type.String({ maxLength: 400 }))
const Filters = optional(Type.Array(PropertyFilter, { maxItems: 100 }))

/** The filters and columns of a view of the list of events. */
export const EventsView = options({
  event: Text,
  action: optional(ActionId),
  distinct_id: Text,
  hours: optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  properties: Filters,
  columns: optional(Type.Array(Type.String({ maxLength: 400 }), { maxItems: 20 })),
})

/** The filters of a view of a dashboard, which override its own. */
export const DashboardView = options({
  date_from: Text,
  date_to: Text,
  properties: Filters,
  variables: optional(
    Type.Record(Type.String({ maxLength: 400 }), Type.String({ maxLength: 1000 })),
  ),
})

const PAGES = ['events', 'dashboard'] as const
export type ViewPage = (typeof PAGES)[number]
export const Page = Type.Unsafe<ViewPage>({
  ...choice(PAGES),
  title: 'SavedViewPlace',
  description: 'What it is a view of: the list of events, or a dashboard.',
})

export const viewResource = defineResource('saved_views', {
  id: { schema: Type.Integer() },
  name: { schema: Type.String(), write: Type.String(), log: true },
  page: { schema: Page, write: Page },
  dashboard_id: {
    schema: Type.Union([Type.Integer(), Type.Null()]),
    write: Type.Union([IdInput(), Type.Null()], {
      description: 'The dashboard, if it is a view of one.',
    }),
  },
  filters: {
    schema: { ...AnyObject, description: 'The filters, and the columns of a list.' },
    write: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'Of events: `event`, `distinct_id`, `hours`, `properties`, `columns`. Of a dashboard: `date_from`, `date_to`, `properties`, `variables`.',
      },
    ),
    log: true,
  },
  created_at: { schema: Time },
  created_by: userField('created_by'),
})
