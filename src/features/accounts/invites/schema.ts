import { type Static, Type } from 'typebox'
import { uuidParam } from '#server/http/params.ts'
import { IdInput, Time } from '#server/http/schemas.ts'
import { LevelInput, ProjectLevelInput } from '../members/schema.ts'
import { OrganizationParams } from '../projects/schema.ts'
import { User } from '../users/schema.ts'

export const Invite = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    email: Type.Union([Type.String(), Type.Null()], {
      description: 'null: anyone with the link can accept it.',
    }),
    level: Type.Integer({ description: '1 member, 8 admin, 15 owner.' }),
    projects: Type.Array(Type.Integer(), { description: 'Projects that the user joins.' }),
    access_level: ProjectLevelInput,
    created_by: User,
    created_at: Time,
    expires_at: Time,
  },
  { title: 'Invite', additionalProperties: false },
)
export type Invite = Static<typeof Invite>

export const InviteWithLink = Type.Object(
  {
    ...Invite.properties,
    link: Type.String({
      format: 'uri-reference',
      description:
        'Shown only once. Can be used once. A path if the server does not know its public URL.',
    }),
    mailed: Type.Boolean({ description: 'Whether the link was sent to the e-mail address.' }),
    mail_problem: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the e-mail could not be sent.',
    }),
  },
  { title: 'InviteWithLink', additionalProperties: false },
)
export type InviteWithLink = Static<typeof InviteWithLink>

export const InviteCreate = Type.Object(
  {
    level: LevelInput,
    email: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 254 }), Type.Null()], {
        description: 'Only this address can accept the invite. Default: anyone with the link.',
      }),
    ),
    projects: Type.Optional(Type.Array(IdInput(), { maxItems: 1000 })),
    access_level: Type.Optional({
      ...ProjectLevelInput,
      description: 'The level in `projects`. Only members of the organization can be viewers.',
    }),
  },
  { title: 'InviteCreate' },
)
export type InviteCreate = Static<typeof InviteCreate>

export const InviteParams = Type.Object({
  ...OrganizationParams.properties,
  id: uuidParam('an invite'),
})

export const InviteTokenParams = Type.Object({ token: Type.String() })

export const InviteInfo = Type.Object(
  {
    organization: Type.String({ description: 'Name of the organization.' }),
    email: Type.Union([Type.String(), Type.Null()]),
    level: Type.Integer({ description: '1 member, 8 admin, 15 owner.' }),
  },
  { title: 'InviteInfo', additionalProperties: false },
)
export type InviteInfo = Static<typeof InviteInfo>

export const InviteAccept = Type.Object(
  {
    first_name: Type.String({ minLength: 1, maxLength: 150 }),
    last_name: Type.Optional(Type.String({ maxLength: 150 })),
    email: Type.String({ minLength: 1, maxLength: 254 }),
    password: Type.String({ maxLength: 200, description: 'At least 10 characters.' }),
  },
  { title: 'InviteAccept' },
)
export type InviteAccept = Static<typeof InviteAccept>
