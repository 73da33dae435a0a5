import { ScimError } from './errors.ts'
import { type Attributes, isObject, quote, requireObject } from './values.ts'

/** One change of an attribute. `remove` has the value that a list loses, if it is not the whole attribute. */
export interface PatchStep {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: string
  readonly value: unknown
}

const MAX_OPERATIONS = 1000

/**
 * Reads a PATCH as Microsoft Entra ID and Okta write it: names of operations in any case, and instead of a path an
 * object whose keys are paths.
 */
export function parsePatch(body: unknown): readonly PatchStep[] {
  const attributes = requireObject('The body', body)
  const key = Object.keys(attributes).find((name) => name.toLowerCase() === 'operations')
  const operations = key && attributes[key]
  if (!Array.isArray(operations)) throw new ScimError('invalidSyntax', 'Operations is not a list.')
  if (operations.length > MAX_OPERATIONS) {
    throw new ScimError('invalidValue', `Send at most ${MAX_OPERATIONS} operations at a time.`)
  }
  return operations.flatMap((operation) => toSteps(requireObject('An operation', operation)))
}

function toSteps({ op: name, path, value }: Attributes): PatchStep[] {
  const op = typeof name === 'string' ? name.toLowerCase() : ''
  if (op !== 'add' && op !== 'replace' && op !== 'remove') {
    throw new ScimError('invalidSyntax', `The operation ${quote(String(name))} is not known.`)
  }
  if (typeof path === 'string') return [{ op, path, value }]
  if (path !== undefined && path !== null) {
    throw new ScimError('invalidPath', 'The path of an operation is not a text.')
  }
  if (op === 'remove') throw new ScimError('invalidPath', 'A removal needs a path.')
  if (!isObject(value)) {
    throw new ScimError('invalidValue', 'An operation without a path needs an object as its value.')
  }
  return Object.entries(value).map(([each, inner]) => ({ op, path: each, value: inner }))
}

export const unknownPath = (path: string): ScimError =>
  new ScimError('invalidPath', `The path ${quote(path)} is not supported.`)
