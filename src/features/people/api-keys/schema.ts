import { type Static, Type } from 'typebox'
import { SCOPES } from '#server/access/scopes.ts'

const Time = Type.String({ format: 'date-time' })
const TimeOrNull = Type.Union([Time, Type.Null()])

const ScopeList = Type.Array(Type.String({ maxLength: 100 }), {
  minItems: 1,
  maxItems: 200,
  description: `What it may do: ${SCOPES.join(', ')}, or \`*\` for everything.`,
  examples: [['dashboard:read']],
})

const Teams = Type.Array(Type.Integer(), {
  maxItems: 1000,
  description: 'The ids of the projects that it is limited to. Empty: all that you reach.',
})

const Organizations = Type.Array(Type.String(), {
  maxItems: 100,
  description: 'There is one organisation, so that naming it limits nothing.',
})

export const PersonalApiKey = Type.Object(
  {
    id: Type.String(),
    label: Type.String(),
    description: Type.Union([Type.String(), Type.Null()]),
    value: Type.Union([Type.String(), Type.Null()], {
      description: 'Shown when it is made or rolled, and never again.',
    }),
    mask_value: Type.String(),
    created_at: Time,
    last_used_at: Type.Union([Time, Type.Null()], { description: 'To the hour.' }),
    last_rolled_at: TimeOrNull,
    expires_at: Type.Union([Time, Type.Null()], { description: 'null: never.' }),
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

const needed = { label: Type.String({ minLength: 1, maxLength: 40 }), scopes: ScopeList }
const free = {
  description: Type.Union([Type.String({ maxLength: 1000 }), Type.Null()]),
  scoped_teams: Type.Union([Teams, Type.Null()]),
  scoped_organizations: Type.Union([Organizations, Type.Null()]),
  expires_at: Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
    description: 'From then on it is refused. null: never.',
  }),
}

export const PersonalApiKeyCreate = Type.Object(
  { ...needed, ...Type.Partial(Type.Object(free)).properties },
  { title: 'PersonalApiKeyCreate' },
)
export type PersonalApiKeyCreate = Static<typeof PersonalApiKeyCreate>

export const PersonalApiKeyPatch = Type.Partial(Type.Object({ ...needed, ...free }), {
  title: 'PersonalApiKeyPatch',
})
export type PersonalApiKeyPatch = Static<typeof PersonalApiKeyPatch>

export const PersonalApiKeyParams = Type.Object({ id: Type.String() })
