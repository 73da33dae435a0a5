import type { Generated } from 'kysely'
import type { Json, Time } from './values.ts'

/** The settings of signed embeds. */
export interface EmbedTables {
  embed_secrets: {
    id: Generated<number>
    project_id: number
    /** Names the secret in the header of a token. */
    kid: string
    /** Encrypted, because verifying a signature needs its value. */
    secret: string
    last_used_at: Time | null
    created_by: number | null
    created_at: Time
  }
  embed_settings: {
    project_id: number
    /** The address of the public keys that sign tokens with RS256. */
    jwks_url: string | null
    /** The origins of the pages that may frame embeds. null: all. */
    embed_origins: Json | null
  }
}
