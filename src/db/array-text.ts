/*
 * Lists as PostgreSQL's texts of arrays, which take less time to write than the client's own.
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
