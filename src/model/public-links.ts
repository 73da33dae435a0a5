/** Those who can open a public link: anyone who has it, anyone who also knows its password, or the people it invites. */
export const LINK_AUDIENCES = ['anyone', 'password', 'people'] as const
export type LinkAudience = (typeof LINK_AUDIENCES)[number]

/** Whether a public link opens, or why not. `refused`: the organization does not allow such links. */
export const LINK_STATES = ['open', 'off', 'refused', 'not_started', 'ended', 'used_up'] as const
export type LinkState = (typeof LINK_STATES)[number]
