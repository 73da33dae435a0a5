import { type Static, Type } from 'typebox'
import { UserOrNull } from '#server/features/accounts/users/schema.ts'
import { PageQuery } from '#server/http/page.ts'
import { integerId, ProjectId } from '#server/http/params.ts'
import { AnyObject, Time } from '#server/http/schemas.ts'

export const MAX_MEMBERS = 100_000

const FILTERS =
  '`properties`: a group (`type`: `AND` or `OR`, `values`) of groups and conditions of type `person`, `behavioral` or `cohort`. See docs/cohorts.md.'

export const Cohort = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    is_static: Type.Boolean({ description: 'Whether its members are a list.' }),
    count: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Number of persons just now; null in the list of cohorts of a person.',
    }),
    filters: { ...AnyObject, description: `${FILTERS} Empty for a static cohort.` },
    deleted: Type.Boolean(),
    is_calculating: Type.Boolean({ description: 'Always false: computed when read.' }),
    created_at: Time,
    created_by: UserOrNull,
  },
  { title: 'Cohort', additionalProperties: false },
)
export type Cohort = Static<typeof Cohort>

const ids = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { maxItems: MAX_MEMBERS, description }))

const name = Type.String({ description: 'At most 400 characters.' })
const description = Type.String({ maxLength: 1000 })
const filters = Type.Object({}, { additionalProperties: true, description: FILTERS })
const deleted = Type.Boolean({ description: 'true moves it to the trash, false restores it.' })
const members = {
  distinct_ids: ids('Distinct IDs of members to add to a static cohort.'),
  _create_static_person_ids: ids('UUIDs of persons to add to a static cohort.'),
}

export const CohortCreate = Type.Object(
  {
    name,
    description: Type.Optional(description),
    is_static: Type.Optional(Type.Boolean({ description: 'Default: false.' })),
    filters: Type.Optional(filters),
    ...members,
    query: Type.Optional({
      ...AnyObject,
      description:
        'An ActorsQuery: all its persons become members of a static cohort, whatever its `limit` and `offset`.',
    }),
  },
  { title: 'CohortCreate' },
)
export type CohortCreate = Static<typeof CohortCreate>

export const CohortPatch = Type.Object(
  {
    name: Type.Optional(name),
    description: Type.Optional(description),
    filters: Type.Optional(filters),
    deleted: Type.Optional(deleted),
    ...members,
  },
  { title: 'CohortPatch' },
)
export type CohortPatch = Static<typeof CohortPatch>

const FormText = Type.Optional(Type.String())

/** Only documents the form: it is converted to a JSON body before validation. */
export const CohortForm = Type.Object(
  {
    name: FormText,
    description: FormText,
    is_static: FormText,
    csv: Type.Optional(
      Type.String({
        format: 'binary',
        description:
          'Members of a static cohort: a column `distinct_id` or `person_id`, or distinct IDs without a header.',
      }),
    ),
  },
  { title: 'CohortForm' },
)

export const CohortQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'Text in the name or description.' }),
  ),
  deleted: Type.Optional(Type.Boolean({ description: 'true lists the trash.' })),
})
export type CohortQuery = Static<typeof CohortQuery>

export const CohortParams = Type.Object({
  project_id: ProjectId,
  id: integerId('a cohort'),
})

export const MemberAddition = Type.Object(
  {
    person_ids: ids('UUIDs of persons.'),
    distinct_ids: ids('Distinct IDs, also of persons who have not been seen yet.'),
  },
  { title: 'MemberAddition' },
)
export type MemberAddition = Static<typeof MemberAddition>

export const MemberRemoval = Type.Object(
  { person_id: Type.String({ description: 'The `id` or `uuid` of a person, or a distinct ID.' }) },
  { title: 'MemberRemoval' },
)

export const PersonCohortQuery = Type.Object({
  person_id: Type.String({ description: 'The `id` or `uuid` of a person, or a distinct ID.' }),
})

export const PersonCohorts = Type.Object(
  { results: Type.Array(Cohort) },
  { title: 'PersonCohorts', additionalProperties: false },
)
