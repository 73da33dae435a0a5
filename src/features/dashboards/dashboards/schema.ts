import { type Static, Type } from 'typebox'
import { RefreshParameter } from '#server/features/results/cache/refresh.ts'
import { Format, PageQuery } from '#server/http/page.ts'
import { integerId, ProjectId } from '#server/http/params.ts'
import { AnyObject } from '#server/http/schemas.ts'
import { moveLast } from '#server/resource/resource.ts'
import { dashboardResource, modifiedItem } from './fields.ts'

export const DashboardListItem = Type.Object(modifiedItem.item, {
  title: 'DashboardListItem',
  additionalProperties: false,
})
export type DashboardListItem = Static<typeof DashboardListItem>

export const Dashboard = Type.Object(dashboardResource.item, {
  title: 'Dashboard',
  additionalProperties: false,
})
export type Dashboard = Static<typeof Dashboard>

export const DashboardWrite = Type.Partial(
  Type.Object(
    moveLast(dashboardResource.write, 'filters', 'variables', 'tiles', 'duplicate_tiles'),
  ),
  { title: 'DashboardWrite' },
)
export type DashboardWrite = Static<typeof DashboardWrite>

export const DashboardFromJson = Type.Object(
  {
    template: {
      ...AnyObject,
      description: 'See `GET .../dashboard_templates/json_schema`.',
    },
  },
  { title: 'DashboardFromJson' },
)

export const DashboardParams = Type.Object({
  project_id: ProjectId,
  id: integerId('a dashboard'),
})

export const DashboardReadQuery = Type.Object({
  refresh: Type.Optional(RefreshParameter),
  filters_override: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description: "JSON: filters that replace the dashboard's in this response.",
    }),
  ),
  value_filter: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description:
        'JSON: `{"tile": 5, "properties": [...]}` filters all tiles but this one, and those with `"value_filter": false` in `filters_overrides`.',
    }),
  ),
  variables_override: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description: "JSON: variables that override the dashboard's in this response.",
    }),
  ),
  sections_override: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description:
        'JSON: `{"5": "open"}` opens or folds sections by the id of their title; `open` opens all. Tiles of folded sections are not computed.',
    }),
  ),
})
export type DashboardReadQuery = Static<typeof DashboardReadQuery>

export const DashboardPatchQuery = Type.Object({
  seen_activity: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The id of the newest activity the client has seen: 409 if the dashboard was edited after it. The response header `X-Seen-Activity` has the id to send next.',
    }),
  ),
})

const OneOrMore = Type.Union([Type.String(), Type.Array(Type.String())])

export const DASHBOARD_ORDERS = ['name', 'created_at', 'last_modified_at'] as const
type Order = (typeof DASHBOARD_ORDERS)[number]

export const DashboardQuery = Type.Object({
  ...PageQuery.properties,
  format: Format,
  deleted: Type.Optional(Type.Boolean({ description: 'true lists the trash.' })),
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'Text in the name, description or tags.' }),
  ),
  tags: Type.Optional({
    ...OneOrMore,
    description: 'Any of these tags; may be repeated, or a JSON array.',
  }),
  pinned: Type.Optional(Type.Boolean()),
  created_by: Type.Optional(
    Type.String({ description: "A user's id or UUID, or a JSON array of them." }),
  ),
  creation_mode: Type.Optional(dashboardResource.item.creation_mode),
  is_shared: Type.Optional(Type.Boolean({ description: 'Whether the public link is enabled.' })),
  id: Type.Optional({ ...OneOrMore, description: 'Any of these ids; may be repeated.' }),
  order: Type.Optional(
    Type.Unsafe<Order | `-${Order}`>({
      title: 'DashboardOrder',
      type: 'string',
      enum: DASHBOARD_ORDERS.flatMap((order) => [order, `-${order}`]),
      description: 'A leading `-` reverses the order. Default: pinned first, then by name.',
    }),
  ),
  with_modified: Type.Optional(Type.Boolean({ description: 'true: include `last_modified_at`.' })),
})
export type DashboardQuery = Static<typeof DashboardQuery>
