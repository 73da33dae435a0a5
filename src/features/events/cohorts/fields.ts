import { Type } from 'typebox'
import { userField } from '#server/features/accounts/users/user-texts.ts'
import { AnyObject, Time } from '#server/http/schemas.ts'
import { defineResource, trashField } from '#server/resource/resource.ts'

export const MAX_MEMBERS = 100_000

const FILTERS =
  '`properties`: a group (`type`: `AND` or `OR`, `values`) of groups and conditions of type `person`, `behavioral` or `cohort`. See docs/cohorts.md.'

export const idList = (description: string) =>
  Type.Array(Type.String(), { maxItems: MAX_MEMBERS, description })

export const cohortResource = defineResource('cohorts', {
  id: { schema: Type.Integer() },
  name: {
    schema: Type.String(),
    write: Type.String({ description: 'At most 400 characters.' }),
    log: true,
  },
  description: { schema: Type.String(), write: Type.String({ maxLength: 1000 }), log: true },
  is_static: {
    schema: Type.Boolean({ description: 'Whether its members are a list.' }),
    write: Type.Boolean({ description: 'Default: false.' }),
  },
  count: {
    schema: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Number of persons just now; null in the list of cohorts of a person.',
    }),
    read: (_row: unknown, { count }: { readonly count: number | null }) => count,
  },
  filters: {
    schema: { ...AnyObject, description: `${FILTERS} Empty for a static cohort.` },
    write: Type.Object({}, { additionalProperties: true, description: FILTERS }),
    log: true,
  },
  deleted: trashField,
  is_calculating: {
    schema: Type.Boolean({ description: 'Always false: computed when read.' }),
    read: () => false,
  },
  created_at: { schema: Time },
  created_by: userField('created_by'),
  distinct_ids: { write: idList('Distinct IDs of members to add to a static cohort.') },
  _create_static_person_ids: { write: idList('UUIDs of persons to add to a static cohort.') },
  query: {
    write: {
      ...AnyObject,
      description:
        'An ActorsQuery: all its persons become members of a static cohort, whatever its `limit` and `offset`.',
    },
  },
})
