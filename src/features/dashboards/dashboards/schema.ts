import { type Static, Type } from 'typebox'
import { UserOrNull } from '#server/features/people/users/schema.ts'
import { RefreshParameter } from '#server/features/results/refresh.ts'
import { PageQuery } from '#server/http/page.ts'
import { AnyObject } from '#server/http/schemas.ts'
import { IdInput, Tile, TileInput } from '../tiles/schema.ts'

const LEVELS = [21, 37]

export const RestrictionLevel = Type.Unsafe<21 | 37>({
  type: 'integer',
  enum: LEVELS,
  description: '21: everyone in the project can edit. 37: only collaborators can.',
})
export const PrivilegeLevel = Type.Unsafe<21 | 37>({
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
  is_shared: Type.Boolean({ description: 'Whether its public link works.' }),
  deleted: Type.Boolean(),
  creation_mode: Type.Unsafe<'default' | 'template' | 'duplicate'>({
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
      Type.String({ format: 'date-time', description: 'With `with_modified` only.' }),
    ),
  },
  { title: 'DashboardListItem', additionalProperties: false },
)
export type DashboardListItem = Static<typeof DashboardListItem>

export const Dashboard = Type.Object(
  {
    ...shared,
    use_template: Type.String({ description: 'The template it was made from, or empty.' }),
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
  name: Type.String({ maxLength: 400 }),
  description: Type.String(),
  pinned: Type.Boolean(),
  deleted: Type.Boolean({ description: 'true puts it into the trash, false takes it out again.' }),
  use_template: Type.String({
    description: 'On create: `DEFAULT_APP`, `WEBSITE_TRAFFIC` or the name of a template.',
  }),
  use_dashboard: Type.Union([IdInput(), Type.Null()], {
    description: 'On create: the id of a dashboard whose tiles are copied.',
  }),
  delete_insights: Type.Boolean({
    description: 'With `deleted` true: insights on no other dashboard go along.',
  }),
  tags: Type.Array(Type.String({ maxLength: 255 })),
  restriction_level: RestrictionLevel,
  filters: AnyObject,
  variables: AnyObject,
  tiles: Type.Array(TileInput, { maxItems: 1000 }),
  duplicate_tiles: Type.Boolean({
    description: 'With `use_dashboard`: copy what the tiles show instead of sharing it.',
  }),
}

export const DashboardWrite = Type.Partial(Type.Object(writable), { title: 'DashboardWrite' })
export type DashboardWrite = Static<typeof DashboardWrite>

export const DashboardFromJson = Type.Object(
  {
    template: {
      ...AnyObject,
      description: 'What `GET .../dashboard_templates/json_schema` describes.',
    },
  },
  { title: 'DashboardFromJson' },
)

export const DashboardParams = Type.Object({
  project_id: Type.String(),
  id: Type.String({ description: "The dashboard's id." }),
})

export const DashboardReadQuery = Type.Object({
  refresh: Type.Optional(RefreshParameter),
  filters_override: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description: "JSON: filters instead of the dashboard's, for this answer.",
    }),
  ),
  variables_override: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description: "JSON: variables over the dashboard's, for this answer.",
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
        'The id of the newest activity the caller has seen: 409 if the dashboard was edited after it. The answer says the next one as `X-Seen-Activity`.',
    }),
  ),
})

const OneOrMore = Type.Union([Type.String(), Type.Array(Type.String())])

export const DASHBOARD_ORDERS = ['name', 'created_at', 'last_modified_at'] as const
type Order = (typeof DASHBOARD_ORDERS)[number]

export const DashboardQuery = Type.Object({
  ...PageQuery.properties,
  deleted: Type.Optional(Type.Boolean({ description: 'true lists the trash.' })),
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'In name, description and tags.' }),
  ),
  tags: Type.Optional({ ...OneOrMore, description: 'Any of these tags; may be repeated.' }),
  pinned: Type.Optional(Type.Boolean()),
  created_by: Type.Optional(Type.String({ description: "A user's id or uuid." })),
  creation_mode: Type.Optional(shared.creation_mode),
  is_shared: Type.Optional(Type.Boolean({ description: 'Whether the public link works.' })),
  id: Type.Optional({ ...OneOrMore, description: 'Any of these ids; may be repeated.' }),
  order: Type.Optional(
    Type.Unsafe<Order | `-${Order}`>({
      type: 'string',
      enum: DASHBOARD_ORDERS.flatMap((order) => [order, `-${order}`]),
      description: 'A minus turns it round. Pinned ones come first, then by name, if not given.',
    }),
  ),
  with_modified: Type.Optional(
    Type.Boolean({ description: 'true: with `last_modified_at` of each.' }),
  ),
})
export type DashboardQuery = Static<typeof DashboardQuery>
