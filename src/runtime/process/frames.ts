import { FRAME_HEADER_LENGTH } from './protocol.ts'

export class BrokenFrame extends Error {}

export function toFrame(kind: number, content: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEADER_LENGTH + content.length)
  frame.writeUInt32BE(content.length + 1, 0)
  frame[4] = kind
  frame.set(content, FRAME_HEADER_LENGTH)
  return frame
}

/** Puts frames together from whatever parts they arrive in. Throws a `BrokenFrame`, and is of no use afterwards. */
export function createFrameReader(
  limit: number,
  onFrame: (kind: number, content: Buffer) => void,
): (part: Buffer) => void {
  let parts: Buffer[] = []
  let held = 0
  let wanted = 4

  return (part) => {
    parts.push(part)
    held += part.length
    while (held >= wanted) {
      const all = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
      const length = all.readUInt32BE(0)
      if (length < 1 || length > limit) throw new BrokenFrame(`a frame of ${length} bytes`)
      parts = [all]
      wanted = 4 + length
      if (held < wanted) return
      parts = held > wanted ? [all.subarray(wanted)] : []
      held -= wanted
      onFrame(all[4] as number, all.subarray(FRAME_HEADER_LENGTH, wanted))
      wanted = 4
    }
  }
}
