import { AppProblem } from '#server/runtime/contract.ts'

export const CONNECTOR_FILE = 'connector.yaml'

/** The part of a connector that is checked beyond its schema. */
export interface Connector {
  readonly base_url: string
  readonly hosts?: readonly string[]
  readonly auth?: Readonly<Record<string, unknown>> & { readonly oauth?: { token_url: string } }
  readonly streams: readonly Stream[]
}

export interface Stream {
  readonly name: string
  readonly parent?: { readonly stream: string }
  readonly transform?: readonly object[]
  readonly partitions?: readonly Partition[]
  readonly incremental?: {
    readonly to_parameter?: string
    readonly start?: string
    readonly step?: number
  }
  readonly to?: object
  readonly errors?: readonly Readonly<Record<'status' | 'text' | 'path' | 'value', unknown>>[]
}

export interface Partition {
  readonly name: string
  readonly values?: readonly string[]
  readonly setting?: string
}

/** The name under which the values of partitions are named, as if it were a stream. */
const PARTITION = 'partition'

export const connectorProblem = (detail: string): AppProblem =>
  new AppProblem(`${CONNECTOR_FILE}${detail.startsWith(',') ? '' : ' '}${detail}.`)

/** A setting, or with a path a value of the record of a stream. */
export interface Placeholder {
  readonly name: string
  readonly path: string | undefined
}

export const listPlaceholders = (part: unknown): Placeholder[] =>
  [...(JSON.stringify(part) ?? '').matchAll(/\{\{\s*([\w-]+)(?:\.([\w.-]+))?\s*\}\}/g)].map(
    ([, name = '', path]) => ({ name, path }),
  )

/** Checks what the schema cannot: how streams belong together. */
export function requireStreams({ streams, ...rest }: Connector): void {
  requireKnown('', rest, [])
  const above = new Map<string, readonly string[]>()
  for (const [index, stream] of streams.entries()) {
    const { name, parent } = stream
    const at = `, streams.${index}`
    if (name === PARTITION) throw connectorProblem(`${at} cannot be named "${PARTITION}"`)
    if (above.has(name)) throw connectorProblem(`has two streams named "${name}"`)
    const higher = parent && above.get(parent.stream)
    if (parent && !higher) {
      throw connectorProblem(`${at}.parent names "${parent.stream}", which is no stream above it`)
    }
    const own = toPartitionNames(at, stream)
    const names = parent && higher ? [...higher, parent.stream, ...own] : own
    requireKnown(at, stream, names)
    requireConditions(at, stream)
    requireStep(at, stream)
    const isParent = streams.some((other) => other.parent?.stream === name)
    if (!stream.to && !isParent) throw connectorProblem(`${at} needs "to", or a stream below it`)
    above.set(name, names)
  }
}

function requireKnown(at: string, part: unknown, above: readonly string[]): void {
  for (const { name, path } of listPlaceholders(part)) {
    if (path === undefined || above.includes(name) || above.includes(`${name}.${path}`)) continue
    const problem =
      name === PARTITION ? `"${path}" is no partition of it` : `"${name}" is no stream above it`
    throw connectorProblem(`${at} names {{${name}.${path}}}, but ${problem}`)
  }
}

function toPartitionNames(at: string, { partitions = [] }: Stream): string[] {
  for (const [index, { values, setting }] of partitions.entries()) {
    if ((values === undefined) === (setting === undefined)) {
      throw connectorProblem(`${at}.partitions.${index} needs either values or a setting`)
    }
  }
  return partitions.map(({ name }) => `${PARTITION}.${name}`)
}

function requireStep(at: string, { incremental = {} }: Stream): void {
  const { step, start, to_parameter } = incremental
  if (step === undefined || (start !== undefined && to_parameter !== undefined)) return
  throw connectorProblem(`${at}.incremental.step needs start and to_parameter`)
}

function requireConditions(at: string, { errors = [] }: Stream): void {
  for (const [index, { status, text, path, value }] of errors.entries()) {
    const rule = `${at}.errors.${index}`
    if (status === undefined && text === undefined && path === undefined) {
      throw connectorProblem(`${rule} needs a status, text or path`)
    }
    if (value !== undefined && path === undefined) throw connectorProblem(`${rule} needs a path`)
  }
}
