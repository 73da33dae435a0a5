import { isIPv4 } from 'node:net'

export type Value = string | number | readonly Value[] | { readonly [key: string]: Value }

/** Addresses from the first to the last, which share a record. */
export interface Range {
  readonly first: string
  readonly last: string
  readonly record: Value
}

/** Names the next node, or holds a record of its own; undefined: no record. */
type Child = number | { readonly record: Value } | undefined
type Node = [Child, Child]

const METADATA = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
/** Between the tree and the records. */
const SEPARATOR_BYTES = 16
const NODE_BYTES = 6
/** Types of values: https://maxmind.github.io/MaxMind-DB/ */
const TYPE = { string: 2, uint32: 6, map: 7, array: 11 }

/** Writes a MaxMind DB file of ranges that do not overlap. IPv4 addresses are the first of IPv6. */
export function writeMmdb(ranges: Iterable<Range>, builtAt = 0): Buffer {
  const nodes: Node[] = [[undefined, undefined]]
  for (const { first, last, record } of ranges) {
    for (const bits of listNetworks(toNumber(first), toNumber(last))) insert(nodes, bits, record)
  }
  const offsets = new Map<string, number>()
  const records: Buffer[] = []
  let length = 0
  const offsetOf = (record: Value): number => {
    const key = JSON.stringify(record)
    const known = offsets.get(key)
    if (known !== undefined) return known
    const bytes = encode(record)
    const offset = length
    records.push(bytes)
    offsets.set(key, offset)
    length += bytes.length
    return offset
  }
  const tree = Buffer.alloc(nodes.length * NODE_BYTES)
  for (const [index, child] of nodes.flat().entries()) {
    const value =
      typeof child === 'object'
        ? nodes.length + SEPARATOR_BYTES + offsetOf(child.record)
        : (child ?? nodes.length)
    tree.writeUIntBE(value, index * 3, 3)
  }
  const metadata = encode({
    node_count: nodes.length,
    record_size: 24,
    ip_version: 6,
    database_type: 'Hedgerow-Places',
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: builtAt,
    description: {},
  })
  return Buffer.concat([tree, Buffer.alloc(SEPARATOR_BYTES), ...records, METADATA, metadata])
}

function toNumber(address: string): bigint {
  if (isIPv4(address)) {
    return address.split('.').reduce((number, part) => (number << 8n) | BigInt(part), 0n)
  }
  const [left = [], right] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const missing = right ? 8 - left.length - right.length : 0
  const groups = [...left, ...Array<string>(missing).fill('0'), ...(right ?? [])]
  return groups.reduce((number, group) => (number << 16n) | BigInt(`0x${group}`), 0n)
}

/** Splits a range into networks, as the bits that their addresses start with. */
function* listNetworks(first: bigint, last: bigint): Generator<string> {
  for (let next = first; next <= last; ) {
    let size = 0n
    while (next % (2n << size) === 0n && next + (2n << size) - 1n <= last) size++
    yield next
      .toString(2)
      .padStart(128, '0')
      .slice(0, 128 - Number(size))
    next += 1n << size
  }
}

function insert(nodes: Node[], bits: string, record: Value): void {
  let node = nodes[0] as Node
  for (const bit of bits.slice(0, -1)) {
    let child = node[Number(bit)]
    if (typeof child === 'object') throw new Error(`Two ranges contain ${bits}.`)
    child ??= nodes.push([undefined, undefined]) - 1
    node[Number(bit)] = child
    node = nodes[child] as Node
  }
  node[Number(bits.at(-1))] = { record }
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value)
    return Buffer.concat([head(TYPE.string, bytes.length), bytes])
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([head(TYPE.uint32, bytes.length), bytes])
  }
  if (Array.isArray(value)) {
    return Buffer.concat([head(TYPE.array, value.length), ...value.map(encode)])
  }
  const members = Object.entries(value).flatMap(([key, item]) => [encode(key), encode(item)])
  return Buffer.concat([head(TYPE.map, members.length / 2), ...members])
}

const MAX_SIZE = 28

/** Writes the type and the size of a value. Larger sizes would take more bytes, and no record needs them. */
function head(type: number, size: number): Buffer {
  if (size > MAX_SIZE)
    throw new Error(`A value has ${size} parts; at most ${MAX_SIZE} are supported.`)
  return type > TYPE.map ? Buffer.from([size, type - TYPE.map]) : Buffer.from([(type << 5) | size])
}
