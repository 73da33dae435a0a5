import type { Json, Time } from './values.ts'

/** How people come in. */
export interface PeopleTables {
  /** Gone when somebody has accepted it. */
  invites: {
    id: string
    /** Of the token in the link. */
    hash: string
    /** null: whoever has the link. */
    email: string | null
    level: number
    /** Those they become a member of. */
    projects: Json
    created_by: number
    created_at: Time
    expires_at: Time
  }
}
