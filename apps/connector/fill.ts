import { valueAt } from '../shared/paths.ts'

/** The records above a record, by the names of their streams. */
export type Above = Readonly<Record<string, unknown>>

/** `{{shop}}` is a setting, `{{orders.id}}` a value of the record above. */
const PLACEHOLDER = /\{\{\s*([\w-]+)(?:\.([\w.-]+))?\s*\}\}/g

/** A record above lacks a value that a request needs. */
export class MissingValue extends Error {}

/** Replaces the placeholders of a text. */
export function fillText(
  text: string,
  setting: (key: string) => string,
  above: Above = {},
  encode: (value: string) => string = (value) => value,
): string {
  return text.replace(PLACEHOLDER, (_, name: string, path: string | undefined) =>
    encode(path === undefined ? setting(name) : textAbove(above, name, path)),
  )
}

function textAbove(above: Above, stream: string, path: string): string {
  const value = valueAt(above[stream], path)
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw new MissingValue(`no "${path}" in the record of "${stream}"`)
}

/** Tells whether a text names a value of a record above. */
export const namesAbove = (text: string): boolean =>
  [...text.matchAll(PLACEHOLDER)].some(([, , path]) => path !== undefined)
