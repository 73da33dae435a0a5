import { AppProblem } from '#server/runtime/contract.ts'

/** A packet of this length continues in the next. */
const FULL = 0xff_ff_ff
const HEAD = 4

export interface Packet {
  readonly sequence: number
  readonly content: Buffer
}

/** Puts packets together from the bytes of a socket. Throws for one that is larger than the limit. */
export function createPacketReader(maxBytes: number) {
  /** Bytes that are no whole packet yet. */
  let chunks: Buffer[] = []
  let length = 0
  /** The parts of a packet that continues. */
  let parts: Buffer[] = []
  let partsLength = 0

  function take(bytes: number): Buffer {
    const all = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
    const rest = all.subarray(bytes)
    chunks = rest.length > 0 ? [rest] : []
    length = rest.length
    return all.subarray(0, bytes)
  }

  function next(): Packet | undefined {
    if (length < HEAD) return undefined
    if ((chunks[0] as Buffer).length < HEAD) chunks = [Buffer.concat(chunks)]
    const head = chunks[0] as Buffer
    const size = head.readUIntLE(0, 3)
    if (partsLength + size > maxBytes) {
      throw new AppProblem(`A row is larger than ${maxBytes} bytes, which is the limit.`)
    }
    if (length < HEAD + size) return undefined
    const whole = take(HEAD + size)
    parts.push(whole.subarray(HEAD))
    partsLength += size
    if (size === FULL) return next()
    const content = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
    parts = []
    partsLength = 0
    return { sequence: whole.readUInt8(3), content }
  }

  return {
    /** Yields the packets that are complete. */
    *push(chunk: Buffer): Generator<Packet> {
      chunks.push(chunk)
      length += chunk.length
      for (let packet = next(); packet; packet = next()) yield packet
    },
    /** Returns what is left of a connection that becomes encrypted. */
    hasRest: () => length > 0,
  }
}

/** Writes a packet, in several if it is large. */
export function toPackets(content: Buffer, sequence: number): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0, n = sequence; ; at += FULL, n += 1) {
    const piece = content.subarray(at, at + FULL)
    const head = Buffer.alloc(HEAD)
    head.writeUIntLE(piece.length, 0, 3)
    head.writeUInt8(n & 0xff, 3)
    pieces.push(head, piece)
    if (piece.length < FULL) return Buffer.concat(pieces)
  }
}

/** Reads the fields of a packet. A field beyond its end throws. */
export function createCursor(content: Buffer) {
  let at = 0
  const take = (bytes: number): Buffer => {
    if (at + bytes > content.length) throw new Error('The server sent a packet that is too short.')
    at += bytes
    return content.subarray(at - bytes, at)
  }
  const integer = (bytes: number): number => take(bytes).readUIntLE(0, bytes)
  /** Returns null for NULL, which only rows have. */
  const length = (): number | null => {
    const first = integer(1)
    if (first < 0xfb) return first
    if (first === 0xfb) return null
    if (first === 0xfc) return integer(2)
    if (first === 0xfd) return integer(3)
    return Number(take(8).readBigUInt64LE())
  }
  return {
    integer,
    length,
    take,
    isAtEnd: () => at >= content.length,
    rest: () => take(content.length - at),
    /** Reads a text that ends with a zero byte, or with the packet. */
    text(): string {
      const found = content.indexOf(0, at)
      const end = found < 0 ? content.length : found
      const bytes = take(end - at)
      if (found >= 0) at += 1
      return bytes.toString()
    },
    bytes(): Buffer | null {
      const size = length()
      return size === null ? null : take(size)
    },
  }
}

/** An error that the server reports. */
export class ServerError extends Error {
  readonly code: string
  readonly isTemporary: boolean

  constructor(content: Buffer) {
    const cursor = createCursor(content.subarray(1))
    const number = cursor.integer(2)
    const rest = cursor.rest().toString()
    const [, state = '', message = rest] = /^#(.{5})(.*)$/s.exec(rest) ?? []
    super(`${message} (${number}${state && `, ${state}`})`)
    this.code = String(number)
    this.isTemporary = TEMPORARY.has(number)
  }
}

/** Too many connections, shutdown, lock timeout, deadlock, a query that was stopped, and lost connections. */
const TEMPORARY = new Set([1040, 1053, 1077, 1203, 1205, 1213, 1226, 1927, 3024, 1969, 2006, 2013])
