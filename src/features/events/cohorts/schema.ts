import { type Static, Type } from 'typebox'
import { PageQuery } from '#server/http/page.ts'
import { integerId, ProjectId } from '#server/http/params.ts'
import { cohortResource, idList } from './fields.ts'

export const Cohort = Type.Object(cohortResource.item, {
  title: 'Cohort',
  additionalProperties: false,
})
export type Cohort = Static<typeof Cohort>

const { name, deleted: _, ...optional } = cohortResource.write

export const CohortCreate = Type.Object(
  { name, ...Type.Partial(Type.Object(optional)).properties },
  { title: 'CohortCreate' },
)
export type CohortCreate = Static<typeof CohortCreate>

export const CohortPatch = Type.Partial(
  Type.Omit(Type.Object(cohortResource.write), ['is_static', 'query']),
  { title: 'CohortPatch' },
)
export type CohortPatch = Static<typeof CohortPatch>

export const CohortCount = Type.Object(
  { filters: cohortResource.write.filters },
  { title: 'CohortCount' },
)

export const CountedPersons = Type.Object(
  { count: Type.Integer() },
  { title: 'CountedPersons', additionalProperties: false },
)

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
    person_ids: Type.Optional(idList('UUIDs of persons.')),
    distinct_ids: Type.Optional(
      idList('Distinct IDs, also of persons who have not been seen yet.'),
    ),
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
