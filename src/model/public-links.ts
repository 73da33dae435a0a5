/** Those who can open a public link: anyone who has it, or anyone who also knows its password. */
export const LINK_AUDIENCES = ['anyone', 'password'] as const
export type LinkAudience = (typeof LINK_AUDIENCES)[number]
