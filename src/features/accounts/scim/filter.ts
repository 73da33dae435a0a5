import { ScimError } from './errors.ts'
import { quote } from './values.ts'

/** One comparison, the only kind of filter that identity providers send to find a record. */
export interface Filter {
  /** The name, as the list of allowed ones writes it. */
  readonly attribute: string
  readonly value: string
}

const COMPARISON = /^\s*([\w.:]+)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i

/** Reads filters such as `userName eq "ada@example.com"`. Names of attributes are case-insensitive. */
export function parseFilter(
  text: string | undefined,
  allowed: readonly string[],
): Filter | undefined {
  if (text === undefined) return undefined
  const [, name = '', literal = ''] = COMPARISON.exec(text) ?? []
  const attribute = allowed.find((each) => each.toLowerCase() === stripSchema(name).toLowerCase())
  const value = attribute && parseText(literal)
  if (attribute && value !== undefined) return { attribute, value }
  const forms = allowed.map((each) => `${each} eq "..."`).join(' or ')
  throw new ScimError('invalidFilter', `The filter ${quote(text)} is not supported. Use ${forms}.`)
}

function parseText(literal: string): string | undefined {
  try {
    return JSON.parse(literal)
  } catch {
    return undefined
  }
}

/** Removes the URN that may precede the name of an attribute. */
export const stripSchema = (path: string): string =>
  path.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, '')
