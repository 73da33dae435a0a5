import { type Static, Type } from 'typebox'
import { SCOPES } from '#server/access/scopes.ts'
import { IdInput, Time, TimeOrNull } from '#server/http/schemas.ts'

const ScopeList = Type.Array(Type.String({ maxLength: 100 }), {
  minItems: 1,
  maxItems: 200,
  description: `Scopes: ${SCOPES.join(', ')}, or \`*\` for all.`,
  examples: [['dashboard:read']],
})

const Teams = Type.Array(IdInput(), {
  maxItems: 1000,
  description: 'IDs of the projects that the key is limited to. Empty: all of your projects.',
})

const Organizations = Type.Array(Type.String(), {
  maxItems: 100,
  description: 'There is one organization, so this limits nothing.',
})

export const PersonalApiKey = Type.Object(
  {
    id: Type.String(),
    label: Type.String(),
    description: Type.Union([Type.String(), Type.Null()]),
    value: Type.Union([Type.String(), Type.Null()], {
      description: 'Shown only when the key is created or rolled.',
    }),
    mask_value: Type.String(),
    created_at: Time,
    last_used_at: Type.Union([Time, Type.Null()], { description: 'Accurate to the hour.' }),
    last_rolled_at: TimeOrNull,
    expires_at: Type.Union([Time, Type.Null()], { description: 'null: does not expire.' }),
    user_id: Type.Integer(),
    scopes: Type.Array(Type.String()),
    scoped_teams: Type.Array(Type.Integer()),
    scoped_organizations: Type.Array(Type.String()),
    is_legacy_hashing: Type.Boolean(),
    local_dev_value: Type.Null(),
  },
  { title: 'PersonalApiKey', additionalProperties: false },
)
export type PersonalApiKey = Static<typeof PersonalApiKey>

const requiredFields = { label: Type.String({ minLength: 1, maxLength: 40 }), scopes: ScopeList }
const optionalFields = {
  description: Type.Union([Type.String({ maxLength: 1000 }), Type.Null()]),
  scoped_teams: Type.Union([Teams, Type.Null()]),
  scoped_organizations: Type.Union([Organizations, Type.Null()]),
  expires_at: Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
    description: 'The key stops working then. null: does not expire.',
  }),
}

export const PersonalApiKeyCreate = Type.Object(
  { ...requiredFields, ...Type.Partial(Type.Object(optionalFields)).properties },
  { title: 'PersonalApiKeyCreate' },
)
export type PersonalApiKeyCreate = Static<typeof PersonalApiKeyCreate>

export const PersonalApiKeyPatch = Type.Partial(
  Type.Object({ ...requiredFields, ...optionalFields }),
  {
    title: 'PersonalApiKeyPatch',
  },
)
export type PersonalApiKeyPatch = Static<typeof PersonalApiKeyPatch>

export const PersonalApiKeyParams = Type.Object({ id: Type.String() })

export const IntrospectionRequest = Type.Object(
  { token: Type.String({ maxLength: 400, description: 'The key.' }) },
  { title: 'IntrospectionRequest' },
)

export const Introspection = Type.Object(
  {
    active: Type.Boolean({
      description: 'Whether the key works. Other fields only describe it then.',
    }),
    token_type: Type.Optional(Type.String()),
    scope: Type.Optional(Type.String({ description: 'The scopes, separated by spaces.' })),
    exp: Type.Optional(Type.Integer({ description: 'Seconds since 1970. Absent: never expires.' })),
    scoped_teams: Type.Optional(
      Type.Array(Type.Integer(), { description: 'The projects that the key is limited to.' }),
    ),
    scoped_organizations: Type.Optional(
      Type.Array(Type.String(), { description: 'Always empty.' }),
    ),
  },
  { title: 'Introspection', additionalProperties: false },
)
export type Introspection = Static<typeof Introspection>
