import { type Static, Type } from 'typebox'
import { RefreshParameter } from '#server/features/results/cache/refresh.ts'
import { Format, PageQuery } from '#server/http/page.ts'
import { idOrText, ProjectId } from '#server/http/params.ts'
import { moveLast } from '#server/resource/resource.ts'
import { insightResource } from '../insight-rows/fields.ts'

const levels = ['effective_restriction_level', 'effective_privilege_level'] as const

export const Insight = Type.Object(
  moveLast(insightResource.item, '_create_in_folder', ...levels, 'timezone'),
  { title: 'Insight', additionalProperties: false },
)

const lastWritten = ['_create_in_folder', 'favorited', 'saved', 'dashboards', 'deleted'] as const

export const InsightWrite = Type.Partial(
  Type.Object(moveLast(insightResource.write, ...lastWritten)),
  { title: 'InsightWrite' },
)
export type InsightWrite = Static<typeof InsightWrite>

export const InsightParams = Type.Object({
  project_id: ProjectId,
  id: idOrText("The insight's `id` or `short_id`."),
})

export const InsightReadQuery = Type.Object({ refresh: Type.Optional(RefreshParameter) })

const OneOrMore = Type.Union([Type.String(), Type.Array(Type.String())])

export const ORDERS = ['last_modified_at', 'created_at', 'name'] as const
type Order = (typeof ORDERS)[number]

export const InsightQuery = Type.Object({
  ...PageQuery.properties,
  format: Format,
  refresh: Type.Optional(RefreshParameter),
  deleted: Type.Optional(Type.Boolean({ description: 'true lists the trash.' })),
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'Text in the name, description, tags or folder.' }),
  ),
  tags: Type.Optional({
    ...OneOrMore,
    description: 'Any of these tags; may be repeated, or a JSON array.',
  }),
  created_by: Type.Optional(
    Type.String({ description: "A user's id or UUID, or a JSON array of them." }),
  ),
  short_id: Type.Optional(Type.String()),
  saved: Type.Optional(Type.Boolean()),
  favorited: Type.Optional(Type.Boolean()),
  dashboards: Type.Optional(
    Type.String({
      description: 'The id of a dashboard that shows them, or a JSON array of such ids.',
    }),
  ),
  basic: Type.Optional(Type.Boolean({ description: 'true: without results.' })),
  order: Type.Optional(
    Type.Unsafe<Order | `-${Order}`>({
      title: 'InsightOrder',
      type: 'string',
      enum: ORDERS.flatMap((order) => [order, `-${order}`]),
      description: 'A leading `-` reverses the order. Default: `-last_modified_at`.',
    }),
  ),
})
export type InsightQuery = Static<typeof InsightQuery>
