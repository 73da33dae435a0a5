import { type Static, Type } from 'typebox'
import { User } from '#server/features/accounts/users/schema.ts'
import { integerId, ProjectId, uuidParam } from '#server/http/params.ts'
import { PrivilegeLevel } from '../level-schemas.ts'

export const Collaborator = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    dashboard_id: Type.Integer(),
    user: User,
    level: PrivilegeLevel,
    added_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
    user_uuid: Type.String({ format: 'uuid' }),
  },
  { title: 'Collaborator', additionalProperties: false },
)
export type Collaborator = Static<typeof Collaborator>

export const CollaboratorCreate = Type.Object(
  {
    level: PrivilegeLevel,
    user_uuid: Type.String({ description: 'The UUID of a user with access to the project.' }),
  },
  { title: 'CollaboratorCreate' },
)
export type CollaboratorCreate = Static<typeof CollaboratorCreate>

export const CollaboratorsParams = Type.Object({
  project_id: ProjectId,
  dashboard_id: integerId('a dashboard'),
})

export const CollaboratorParams = Type.Object({
  project_id: ProjectId,
  dashboard_id: integerId('a dashboard'),
  user__uuid: uuidParam('a user'),
})
