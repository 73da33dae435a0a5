import { Type } from 'typebox'
import { EVERYONE_CAN_EDIT } from '#model/levels.ts'
import { userField } from '#server/features/accounts/users/user-texts.ts'
import { type JsonText, largeArrayText } from '#server/http/json-text.ts'
import { AnyObject, IdInput, Time } from '#server/http/schemas.ts'
import { defineFields, defineResource, listed, trashField } from '#server/resource/resource.ts'
import { tagsField } from '#server/resource/tags.ts'
import { PrivilegeLevel, RestrictionLevel } from '../level-schemas.ts'
import { type DashboardAccess, effectiveDashboardPrivilege, type MemberLevel } from '../rights.ts'
import { Tile, TileInput } from '../tiles/schema.ts'

const fields = defineFields({
  id: { schema: Type.Integer(), list: true },
  name: {
    schema: Type.String(),
    write: Type.Union([Type.String({ maxLength: 400 }), Type.Null()]),
    normalize: (name: string | null) => name ?? '',
    list: true,
    log: true,
  },
  description: { schema: Type.String(), write: Type.String(), list: true, log: true },
  pinned: { schema: Type.Boolean(), write: Type.Boolean(), list: true, log: true },
  created_at: { schema: Time, list: true },
  created_by: { ...userField('created_by'), list: true },
  is_shared: {
    schema: Type.Boolean({ description: 'Whether the public link is enabled.' }),
    list: true,
  },
  deleted: { ...trashField, list: true },
  creation_mode: {
    schema: Type.Unsafe<'default' | 'template' | 'duplicate'>({
      title: 'DashboardCreationMode',
      type: 'string',
      enum: ['default', 'template', 'duplicate'],
    }),
    list: true,
  },
  use_template: {
    schema: Type.String({ description: 'The template it was created from, or empty.' }),
    write: Type.String({
      description: 'On create: `DEFAULT_APP`, `WEBSITE_TRAFFIC` or the name of a template.',
    }),
  },
  use_dashboard: {
    schema: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The dashboard it was copied from, or null.',
    }),
    write: Type.Union([IdInput(), Type.Null()], {
      description: 'On create: the id of a dashboard whose tiles are copied.',
    }),
    normalize: (id: number | null) => id || null,
  },
  delete_insights: {
    schema: Type.Boolean(),
    read: () => false,
    write: Type.Boolean({
      description: 'With `deleted` true: also trash insights that are on no other dashboard.',
    }),
  },
  filters: { schema: AnyObject, write: AnyObject, log: true },
  variables: {
    schema: AnyObject,
    write: Type.Union([AnyObject, Type.Null()]),
    normalize: (variables: object | null) => variables ?? {},
    log: true,
  },
  tags: { ...tagsField, list: true },
  tiles: {
    schema: Type.Array(Tile),
    read: (_row: unknown, { tiles }: { readonly tiles: readonly JsonText[] }) =>
      largeArrayText(tiles),
    write: Type.Union([Type.Array(TileInput, { maxItems: 1000 }), Type.Null()], {
      description: 'Tiles to create or update. Others stay.',
    }),
  },
  restriction_level: {
    schema: RestrictionLevel,
    write: RestrictionLevel,
    default: EVERYONE_CAN_EDIT,
    list: true,
    log: true,
  },
  effective_restriction_level: {
    schema: RestrictionLevel,
    column: 'restriction_level',
    list: true,
  },
  effective_privilege_level: {
    schema: PrivilegeLevel,
    read: (row: DashboardAccess, { member }: { readonly member: MemberLevel }) =>
      effectiveDashboardPrivilege(member, row),
    list: true,
  },
  duplicate_tiles: {
    write: Type.Boolean({
      description: 'With `use_dashboard`: copy the insights and texts instead of sharing them.',
    }),
  },
})

export const dashboardResource = defineResource('dashboards', fields)
export const dashboardItem = defineResource('dashboards', listed(fields))
export const modifiedItem = defineResource('dashboards', {
  ...listed(fields),
  last_modified_at: {
    schema: Type.Optional(
      Type.String({ format: 'date-time', description: 'Only with `with_modified`.' }),
    ),
  },
})
