import type { Time } from './values.ts'

/** How people come in. */
export interface AccessTables {
  sessions: {
    id: string
    hash: string
    user_id: number
    user_agent: string
    address: string
    created_at: Time
    /** To the hour. */
    last_used_at: Time
    expires_at: Time
  }
  /** Links that let somebody choose a password, once. */
  one_time_tokens: {
    hash: string
    kind: 'set_up' | 'reset_password'
    user_id: number
    created_at: Time
    expires_at: Time
    used_at: Time | null
  }
}
