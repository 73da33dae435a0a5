/** A name in another resource, such as `posthog_dashboard.growth.id`. */
export class Reference {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

export type Value =
  | string
  | number
  | boolean
  | Reference
  | readonly Value[]
  | { readonly [name: string]: Value }
export type Attributes = Readonly<Record<string, Value>>

export interface Resource {
  readonly type: string
  readonly name: string
  readonly attributes: Attributes
}

const TOKEN = /\s*(?:"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?)|([a-z_][\w.]*)|([{}[\](),=]))/giy

/** Reads the resources of Terraform code that has nothing but literals, references and `jsonencode`. */
export function readResources(code: string): Resource[] {
  const tokens = [...code.trim().matchAll(TOKEN)]
  let at = 0
  if (tokens.map(([text]) => text).join('') !== code.trim()) throw new Error('unknown syntax')

  const next = () => tokens[at]?.[0].trim()
  function take(expected?: string): string {
    const text = next()
    at++
    if (expected ? text !== expected : text === undefined) {
      throw new Error(`${expected} is missing before ${text}`)
    }
    return text as string
  }

  function readValue(): Value {
    const [, text, number, name] = tokens[at] ?? []
    if (text !== undefined || number !== undefined) return JSON.parse(take())
    if (next() === '[') return readList()
    if (next() === '{') return readObject()
    take()
    if (name === 'true' || name === 'false') return name === 'true'
    if (name !== 'jsonencode') return new Reference(String(name))
    take('(')
    const value = readValue()
    take(')')
    return JSON.stringify(value)
  }

  function readList(): Value[] {
    const items: Value[] = []
    for (take('['); next() !== ']'; next() === ',' && take()) items.push(readValue())
    take(']')
    return items
  }

  /** Also reads a block, whose nested blocks have no equals sign. */
  function readObject(): Record<string, Value> {
    const fields: Record<string, Value> = {}
    for (take('{'); next() !== '}'; next() === ',' && take()) {
      const name = take()
      if (next() === '=') take()
      fields[name] = readValue()
    }
    take('}')
    return fields
  }

  const resources: Resource[] = []
  while (at < tokens.length) {
    const kind = take()
    const labels: string[] = []
    while (next() !== '{') labels.push(JSON.parse(take()))
    const attributes = readObject()
    const [type = '', name = ''] = labels
    if (kind === 'resource') resources.push({ type, name, attributes })
  }
  return resources
}
