import type { Generated } from 'kysely'
import type { ProjectLevel } from '#model/levels.ts'
import type { Flag, Json, Time } from './values.ts'

/** Organizations, projects, users, and their ways to sign in. */
export interface AccountTables {
  organizations: {
    id: string
    name: string
    created_at: Time
    allow_publicly_shared_resources: Generated<Flag>
    public_links_require_password: Generated<Flag>
    /** The longest time that a public link lasts. null: any. */
    public_link_max_days: number | null
    /** Since when sessions need a second factor. null: they do not. */
    second_factor_required_at: Time | null
    second_factor_grace_days: Generated<number>
  }
  /** One row. Its version changes with users, memberships, keys and projects. */
  access_state: { id: number; version: number }
  projects: {
    id: Generated<number>
    uuid: string
    organization_id: string
    name: string
    api_token: string
    timezone: string
    created_at: Time
    /** Changes with everything in the project. */
    version: Generated<number>
    /** The number of dashboards. Stored, because counting 100,000 rows takes 5 ms, as long as 20 lists of 100. */
    live_dashboards: Generated<number>
    trashed_dashboards: Generated<number>
    live_configs: Generated<number>
    trashed_configs: Generated<number>
    /** Events older than this are deleted. null keeps them forever. */
    retention_days: number | null
    /** Property filters that exclude the team's own users. */
    test_account_filters: Generated<Json>
    /** Whether events are stored without the address of their sender. */
    anonymize_ips: Generated<Flag>
    /** 0 is Sunday, 1 is Monday. */
    week_start_day: Generated<0 | 1>
    /** The config that loading demo data created, and the rest of it. */
    demo_config_id: number | null
    demo_items: Json | null
    /** Set while demo events may remain, because the event store is outside the transaction. */
    demo_removed_at: Time | null
    viewers_can_export: Generated<Flag>
  }
  /** Deleted projects whose events may still exist. An ID is never reused, so the events can be deleted at any time. */
  removed_projects: { id: number; removed_at: Time }
  users: {
    id: Generated<number>
    uuid: string
    distinct_id: string
    first_name: string
    last_name: string
    email: string
    /** The email address in lower case. Unique. */
    email_key: string
    is_email_verified: Flag
    /** The level in the organization: 1 member, 8 admin, 15 owner. */
    level: number
    current_project_id: number | null
    password_hash: string | null
    created_at: Time
    /** Set when the user has left the organization. The row stays, so that records still name their creator. */
    removed_at: Time | null
  }
  project_members: {
    project_id: number
    user_id: number
    added_at: Time
    /** Has no effect while the user is an admin or owner of the organization. */
    access_level: Generated<ProjectLevel>
  }
  api_keys: {
    id: string
    user_id: number
    label: string
    hash: string
    mask: string
    scopes: Json
    /** null allows every project of the key's owner. */
    projects: Json | null
    expires_at: Time | null
    created_at: Time
    last_used_at: Time | null
    description: string | null
    last_rolled_at: Time | null
  }
  sessions: {
    id: string
    hash: string
    user_id: number
    user_agent: string
    address: string
    created_at: Time
    /** Accurate to the hour. */
    last_used_at: Time
    expires_at: Time
    /** Whether an identity provider signed the user in. */
    is_from_provider: Generated<Flag>
  }
  /** Links to choose a password, and sign-ins that wait for the second factor. Each can be used once. */
  one_time_tokens: {
    hash: string
    kind: 'set_up' | 'reset_password' | 'second_step'
    user_id: number
    created_at: Time
    expires_at: Time
    used_at: Time | null
  }
  second_factors: {
    user_id: number
    /** The encrypted secret of the authenticator app. null: there is only a pending one. */
    secret: string | null
    /** An encrypted secret that replaces the other one once a code of it was entered. */
    pending_secret: string | null
    /** The period of the last code that was used: that code and older ones are refused. */
    last_counter: Generated<number>
    confirmed_at: Time | null
  }
  /** Tokens of identity providers, for SCIM only. */
  scim_tokens: {
    id: string
    label: string
    hash: string
    mask: string
    created_at: Time
    /** Accurate to the hour. */
    last_used_at: Time | null
  }
  /** Users whom an identity provider manages. They stay known when they are deactivated, until it deletes them. */
  scim_users: {
    user_id: number
    user_name: string
    /** The user name in lower case. Unique. */
    user_name_key: string
    external_id: string | null
  }
  scim_groups: { id: string; display_name: string; external_id: string | null; created_at: Time }
  scim_group_members: { group_id: string; user_id: number }
  passkeys: {
    id: string
    user_id: number
    /** The ID that the device gave it. Unique. */
    credential_id: string
    /** A COSE key in base64url. */
    public_key: string
    /** The number of uses that the device has counted; most always count 0. */
    counter: number
    transports: Json
    name: string
    created_at: Time
    last_used_at: Time | null
  }
  /** Challenges of registrations, and of sign-ins, whose user is not known yet. Using one deletes it. */
  passkey_challenges: { hash: string; user_id: number | null; expires_at: Time }
  /** Each replaces one code of the authenticator app. Using it deletes it. */
  recovery_codes: { user_id: number; hash: string }
  /** Open invites. Accepting an invite deletes it. */
  invites: {
    id: string
    /** The hash of the token in the link. */
    hash: string
    /** null if anyone with the link may accept it. */
    email: string | null
    level: number
    /** The projects that the new user joins. */
    projects: Json
    created_by: number
    created_at: Time
    expires_at: Time
    /** The level in these projects. */
    access_level: Generated<ProjectLevel>
  }
}
