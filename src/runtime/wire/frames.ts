import { FRAME_HEADER_LENGTH } from './protocol.ts'

/** Data from an app's process that breaks the protocol. The message completes "it sent ...". */
export class BrokenFrame extends Error {}

export function toFrame(kind: number, content: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEADER_LENGTH + content.length)
  frame.writeUInt32BE(content.length + 1, 0)
  frame[4] = kind
  frame.set(content, FRAME_HEADER_LENGTH)
  return frame
}

/** Assembles frames from chunks of any size. Throws a `BrokenFrame`; it cannot be used after that. */
export function createFrameReader(
  maxLength: number,
  onFrame: (kind: number, content: Buffer) => void,
): (chunk: Buffer) => void {
  let chunks: Buffer[] = []
  let available = 0
  let needed = 4

  return (chunk) => {
    chunks.push(chunk)
    available += chunk.length
    while (available >= needed) {
      const joined = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
      const length = joined.readUInt32BE(0)
      if (length < 1 || length > maxLength) throw new BrokenFrame(`a frame of ${length} bytes`)
      chunks = [joined]
      needed = 4 + length
      if (available < needed) return
      chunks = available > needed ? [joined.subarray(needed)] : []
      available -= needed
      onFrame(joined[4] as number, joined.subarray(FRAME_HEADER_LENGTH, needed))
      needed = 4
    }
  }
}
