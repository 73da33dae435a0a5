import { type Static, Type } from 'typebox'
import { type Properties, PropertyFilter } from '#model/query-kinds/common.schema.ts'
import { OrganizationId, ProjectId } from '#server/http/params.ts'
import { User } from '../users/schema.ts'
import { UnavailableSettings } from './unavailable-settings.ts'

const TestAccountFilters = Type.Array(PropertyFilter, { maxItems: 100 })

export const Project = Type.Object(
  {
    id: Type.Integer(),
    uuid: Type.String({ format: 'uuid' }),
    organization: Type.String({ format: 'uuid' }),
    project_id: Type.Integer(),
    name: Type.String(),
    api_token: Type.String({ description: 'Token for sending events. Not a secret.' }),
    timezone: Type.String(),
    is_demo: Type.Boolean({ description: 'Whether demo data was loaded into the project.' }),
    retention_days: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Days until events are deleted. null: never.',
    }),
    week_start_day: Type.Integer({
      description: 'First day of the week: 0 is Sunday, 1 is Monday.',
    }),
    test_account_filters: Type.Unsafe<Properties>({
      ...TestAccountFilters,
      description: 'Queries that exclude test accounts count only events that match these filters.',
    }),
    anonymize_ips: Type.Boolean({
      description: 'Whether captured events are stored without the IP address of their sender.',
    }),
    ...UnavailableSettings.properties,
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Project', additionalProperties: false },
)
export type Project = Static<typeof Project>

export const ProjectPatch = Type.Partial(
  Type.Object({
    ...UnavailableSettings.properties,
    name: Type.String({ minLength: 1, maxLength: 400 }),
    timezone: Type.String({ minLength: 1, maxLength: 100, examples: ['Europe/Berlin'] }),
    retention_days: Type.Union([Type.Integer({ minimum: 1, maximum: 36_500 }), Type.Null()], {
      description: 'Deletes older events every hour. null: never.',
    }),
    week_start_day: Type.Unsafe<0 | 1>({ title: 'WeekStartDay', type: 'integer', enum: [0, 1] }),
    test_account_filters: TestAccountFilters,
    anonymize_ips: Type.Boolean({
      description:
        'Stores events without the IP address of their sender. Stored events keep theirs.',
    }),
  }),
  { title: 'ProjectPatch' },
)
export type ProjectPatch = Static<typeof ProjectPatch>

export const ProjectCreate = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 400 }),
    timezone: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, examples: ['Europe/Berlin'] }),
    ),
  },
  { title: 'ProjectCreate' },
)
export type ProjectCreate = Static<typeof ProjectCreate>

export const ProjectDelete = Type.Object({
  confirm: Type.String({ description: "The project's name, to prevent accidental deletion." }),
})

export const ProjectIdParams = Type.Object({
  id: ProjectId,
})

export const Organization = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    slug: Type.String({ description: 'The name in lower-case letters, digits and hyphens.' }),
    membership_level: Type.Integer({ description: '1 member, 8 admin, 15 owner.' }),
  },
  { title: 'Organization', additionalProperties: false },
)
export type Organization = Static<typeof Organization>

export const OrganizationPatch = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 100 }) },
  { title: 'OrganizationPatch' },
)

export const OrganizationParams = Type.Object({
  organization_id: OrganizationId,
})

export const OrganizationProjectParams = Type.Object({
  ...OrganizationParams.properties,
  ...ProjectIdParams.properties,
})

export const Me = Type.Object(
  {
    ...User.properties,
    date_joined: Type.String({ format: 'date-time' }),
    has_password: Type.Boolean(),
    team: Type.Union([Project, Type.Null()], { description: 'The current project.' }),
    organization: Organization,
    organizations: Type.Array(Organization),
  },
  { title: 'Me', additionalProperties: false },
)
export type Me = Static<typeof Me>
