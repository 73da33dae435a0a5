import { type Static, Type } from 'typebox'
import { PROJECT_LEVELS, type ProjectLevel } from '#model/levels.ts'
import { PageQuery } from '#server/http/page.ts'
import { ProjectId, uuidParam } from '#server/http/params.ts'
import { Time } from '#server/http/schemas.ts'
import { OrganizationParams } from '../projects/schema.ts'
import { User } from '../users/schema.ts'

export const LevelInput = Type.Unsafe<1 | 8 | 15>({
  title: 'MembershipLevel',
  type: 'integer',
  enum: [1, 8, 15],
  description: '1 member, 8 admin, 15 owner.',
})

export const ProjectLevelInput = Type.Unsafe<ProjectLevel>({
  title: 'ProjectLevel',
  type: 'string',
  enum: [...PROJECT_LEVELS],
  description:
    'A `member` reads and changes everything in the project. A `viewer` sees its dashboards and insights, and comments on them.',
})

const Level = Type.Integer({ description: '1 member, 8 admin, 15 owner.' })

export const OrganizationMember = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    user: User,
    level: Level,
    projects: Type.Array(Type.Integer(), {
      description:
        'Projects that the user was added to. Admins and owners have access to every project.',
    }),
    viewer_of: Type.Array(Type.Integer(), {
      description: 'Those of `projects` in which a member of the organization is only a viewer.',
    }),
    joined_at: Time,
    is_2fa_enabled: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether the user has a second factor. null: only admins see it.',
    }),
  },
  { title: 'OrganizationMember', additionalProperties: false },
)
export type OrganizationMember = Static<typeof OrganizationMember>

export const OrganizationMemberQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(Type.String({ description: 'Searches names and e-mail addresses.' })),
})

export const OrganizationMemberPatch = Type.Object(
  { level: LevelInput },
  { title: 'OrganizationMemberPatch' },
)

const uuid = uuidParam('a user')

export const OrganizationMemberParams = Type.Object({
  ...OrganizationParams.properties,
  user__uuid: uuid,
})

export const ProjectMember = Type.Object(
  {
    user: User,
    level: Level,
    access_level: Type.Unsafe<ProjectLevel | 'admin'>({
      title: 'MemberAccessLevel',
      type: 'string',
      enum: [...PROJECT_LEVELS, 'admin'],
      description: 'The level in the project. `admin`: an admin or owner of the organization.',
    }),
    added_at: Type.Union([Time, Type.Null()], {
      description: 'null: the user has access as an admin or owner and was not added.',
    }),
  },
  { title: 'ProjectMember', additionalProperties: false },
)
export type ProjectMember = Static<typeof ProjectMember>

export const ProjectMemberCreate = Type.Object(
  {
    user_uuid: Type.String({ format: 'uuid' }),
    access_level: Type.Optional(ProjectLevelInput),
  },
  { title: 'ProjectMemberCreate' },
)
export type ProjectMemberCreate = Static<typeof ProjectMemberCreate>

export const ProjectMemberPatch = Type.Object(
  { access_level: ProjectLevelInput },
  { title: 'ProjectMemberPatch' },
)

export const ProjectMemberParams = Type.Object({ project_id: ProjectId, user__uuid: uuid })
