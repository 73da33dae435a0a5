import {
  type Component,
  requireComponent,
  requireOnly,
  toList,
  typeOf,
  unsupported,
} from './component.ts'
import { parseReference, type Scope, toText } from './templates.ts'

export type Step = Readonly<Record<string, unknown>>

/** Translates transformations to steps of `transform`. */
export const toTransform = (given: unknown, at: string, scope: Scope): Step[] =>
  toList(given).flatMap((one, index) => {
    const place = `${at}.${index}`
    const part = requireComponent(one, place)
    const type = typeOf(part, place, '')
    if (type === 'AddFields') return toAdded(part, place, scope)
    if (type === 'RemoveFields') return toRemoved(part, place)
    throw unsupported(place, `${type} is not supported`)
  })

function toAdded(part: Component, at: string, scope: Scope): Step[] {
  requireOnly(part, at, ['fields'])
  return toList(part.fields).map((one, index) => {
    const place = `${at}.fields.${index}`
    const field = requireComponent(one, place)
    requireOnly(field, place, ['path', 'value', 'value_type'])
    const name = toField(field.path, `${place}.path`)
    const [, expression = ''] = /^\s*\{\{([^{}]*)\}\}\s*$/.exec(String(field.value)) ?? []
    const reference = parseReference(expression)
    const step =
      reference?.name === 'record' && reference.path.length > 0
        ? { copy: { [name]: reference.path.join('.') } }
        : { add: { [name]: toText(field.value, field, `${place}.value`, scope) } }
    return step
  })
}

function toRemoved(part: Component, at: string): Step[] {
  requireOnly(part, at, ['field_pointers'])
  const names = toList(part.field_pointers).map((_, index) =>
    toField(toPointer(part, index), `${at}.field_pointers.${index}`),
  )
  return names.length > 0 ? [{ remove: names }] : []
}

const toPointer = ({ field_pointers: pointers }: Component, index: number): unknown =>
  (pointers as readonly unknown[])[index]

/** Transformations are on fields of the record itself. */
function toField(path: unknown, at: string): string {
  const keys = toList(path)
  const [name] = keys
  if (keys.length === 1 && typeof name === 'string' && !/[*{]/.test(name)) return name
  throw unsupported(at, 'must be one field of the record itself')
}
