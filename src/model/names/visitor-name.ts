/** IDs that clients make up for a visitor: a UUID, or the five hexadecimal numbers of older versions of posthog-js. */
const MADE_UP = /^[0-9a-f]{6,16}(-[0-9a-f]{4,16}){4}$/i

const SHOWN = 6

/**
 * Names a visitor of whom only a made-up ID is known by the end of it, where such IDs differ: a search for these digits
 * finds the visitor. Undefined for an ID that somebody chose.
 */
export const toVisitorName = (id: string): string | undefined =>
  MADE_UP.test(id) ? `Visitor ${id.slice(-SHOWN).toLowerCase()}` : undefined
