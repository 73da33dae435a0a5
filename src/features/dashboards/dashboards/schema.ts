import { type Static, Type } from 'typebox'
import { CAN_EDIT, CAN_VIEW, type Level } from '#model/levels.ts'
import { UserOrNull } from '#server/features/accounts/users/schema.ts'
import { RefreshParameter } from '#server/features/results/cache/refresh.ts'
import { Format, PageQuery } from '#server/http/page.ts'
import { integerId, ProjectId } from '#server/http/params.ts'
import { AnyObject } from '#server/http/schemas.ts'
import { IdInput, Tile, TileInput } from '../tiles/schema.ts'

const LEVELS = [CAN_VIEW, CAN_EDIT]

export const RestrictionLevel = Type.Unsafe<Level>({
  title: 'RestrictionLevel',
  type: 'integer',
  enum: LEVELS,
  description: '21: everyone in the project can edit. 37: only collaborators can.',
})
export const PrivilegeLevel = Type.Unsafe<Level>({
  title: 'PrivilegeLevel',
  type: 'integer',
  enum: LEVELS,
  description: '21: can view. 37: can edit.',
})

const shared = {
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  pinned: Type.Boolean(),
  created_at: Type.String({ format: 'date-time' }),
  created_by: UserOrNull,
  is_shared: Type.Boolean({ description: 'Whether the public link is enabled.' }),
  deleted: Type.Boolean(),
  creation_mode: Type.Unsafe<'default' | 'template' | 'duplicate'>({
    title: 'DashboardCreationMode',
    type: 'string',
    enum: ['default', 'template', 'duplicate'],
  }),
}

const sharedLevels = {
  restriction_level: RestrictionLevel,
  effective_restriction_level: RestrictionLevel,
  effective_privilege_level: PrivilegeLevel,
}

export const DashboardListItem = Type.Object(
  {
    ...shared,
    tags: Type.Array(Type.String()),
    ...sharedLevels,
    last_modified_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'Only with `with_modified`.' }),
    ),
  },
  { title: 'DashboardListItem', additionalProperties: false },
)
export type DashboardListItem = Static<typeof DashboardListItem>

export const Dashboard = Type.Object(
  {
    ...shared,
    use_template: Type.String({ description: 'The template it was created from, or empty.' }),
    use_dashboard: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The dashboard it was copied from, or null.',
    }),
    delete_insights: Type.Boolean(),
    filters: AnyObject,
    variables: AnyObject,
    tags: Type.Array(Type.String()),
    tiles: Type.Array(Tile),
    ...sharedLevels,
  },
  { title: 'Dashboard', additionalProperties: false },
)
export type Dashboard = Static<typeof Dashboard>

const writable = {
  name: Type.Union([Type.String({ maxLength: 400 }), Type.Null()]),
  description: Type.String(),
  pinned: Type.Boolean(),
  deleted: Type.Boolean({ description: 'true moves it to the trash, false restores it.' }),
  use_template: Type.String({
    description: 'On create: `DEFAULT_APP`, `WEBSITE_TRAFFIC` or the name of a template.',
  }),
  use_dashboard: Type.Union([IdInput(), Type.Null()], {
    description: 'On create: the id of a dashboard whose tiles are copied.',
  }),
  delete_insights: Type.Boolean({
    description: 'With `deleted` true: also trash insights that are on no other dashboard.',
  }),
  tags: Type.Array(Type.String({ maxLength: 255 })),
  restriction_level: RestrictionLevel,
  filters: AnyObject,
  variables: Type.Union([AnyObject, Type.Null()]),
  tiles: Type.Union([Type.Array(TileInput, { maxItems: 1000 }), Type.Null()], {
    description: 'Tiles to create or update. Others stay.',
  }),
  duplicate_tiles: Type.Boolean({
    description: 'With `use_dashboard`: copy the insights and texts instead of sharing them.',
  }),
}

export const DashboardWrite = Type.Partial(Type.Object(writable), { title: 'DashboardWrite' })
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
  variables_override: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description: "JSON: variables that override the dashboard's in this response.",
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
  creation_mode: Type.Optional(shared.creation_mode),
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
