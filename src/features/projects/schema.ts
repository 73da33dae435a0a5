import { type Static, Type } from 'typebox'
import { User } from '../users/schema.ts'

export const Project = Type.Object(
  {
    id: Type.Integer(),
    uuid: Type.String({ format: 'uuid' }),
    organization: Type.String({ format: 'uuid' }),
    project_id: Type.Integer(),
    name: Type.String(),
    api_token: Type.String({ description: 'Sends events to the project. Not a secret.' }),
    timezone: Type.String(),
    is_demo: Type.Boolean(),
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Project', additionalProperties: false },
)
export type Project = Static<typeof Project>

export const ProjectParams = Type.Object({
  id: Type.String({ description: "A project's id, or `@current`." }),
})

const Organization = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    membership_level: Type.Integer({ description: '1 member, 8 admin, 15 owner.' }),
  },
  { title: 'Organization', additionalProperties: false },
)

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
