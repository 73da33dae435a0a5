import { type Static, Type } from 'typebox'
import { PROJECT_LEVELS, type ProjectLevel } from '#model/levels.ts'
import { OrganizationId, ProjectId } from '#server/http/params.ts'
import { Time } from '#server/http/schemas.ts'
import { defineResource } from '#server/resource/resource.ts'
import { User } from '../users/schema.ts'
import { projectResource } from './fields.ts'
import { organizationResource } from './organization-fields.ts'
import { unavailableFields } from './unavailable-settings.ts'

const StoredProject = Type.Object(projectResource.item)
export type StoredProject = Static<typeof StoredProject>

/** A project as its user may see it. */
export const Project = Type.Object(
  {
    ...projectResource.item,
    user_access_level: Type.Unsafe<ProjectLevel | 'admin'>({
      title: 'UserAccessLevel',
      type: 'string',
      enum: [...PROJECT_LEVELS, 'admin'],
      description:
        'Your level in the project. For viewers, `api_token` and `test_account_filters` are empty.',
    }),
  },
  { title: 'Project', additionalProperties: false },
)
export type Project = Static<typeof Project>

const { write } = projectResource

export const ProjectPatch = Type.Partial(
  Type.Object({ ...defineResource('projects', unavailableFields).write, ...write }),
  { title: 'ProjectPatch' },
)
export type ProjectPatch = Static<typeof ProjectPatch>

export const ProjectCreate = Type.Object(
  { name: write.name, timezone: Type.Optional(write.timezone) },
  { title: 'ProjectCreate' },
)
export type ProjectCreate = Static<typeof ProjectCreate>

export const ProjectDelete = Type.Object({
  confirm: Type.String({ description: "The project's name, to prevent accidental deletion." }),
})

export const ProjectIdParams = Type.Object({
  id: ProjectId,
})

export const Organization = Type.Object(organizationResource.item, {
  title: 'Organization',
  additionalProperties: false,
})
export type Organization = Static<typeof Organization>

const enforce_2fa = Type.Boolean({
  description:
    'True: when the grace period has passed, sessions of members without a second factor can only set one up. Keys and sessions by OpenID Connect are not affected.',
})

export const OrganizationPatch = Type.Partial(
  Type.Object({ ...organizationResource.write, enforce_2fa }),
  { title: 'OrganizationPatch' },
)
export type OrganizationPatch = Static<typeof OrganizationPatch>

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
    is_2fa_enabled: Type.Boolean({ description: 'Whether you have a second factor.' }),
    second_factor_due_at: Type.Union([Time, Type.Null()], {
      description:
        'When this session begins to be refused without a second factor, because the organization requires one. null: never.',
    }),
    team: Type.Union([Project, Type.Null()], { description: 'The current project.' }),
    organization: Organization,
    organizations: Type.Array(Organization),
  },
  { title: 'Me', additionalProperties: false },
)
export type Me = Static<typeof Me>
