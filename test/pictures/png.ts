import { inflateSync } from 'node:zlib'

export interface Pixels {
  readonly width: number
  readonly height: number
  /** Counts the distinct colors. */
  readonly colors: number
  /** `#rrggbb` */
  at(x: number, y: number): string
}

const SIGNATURE = '89504e470d0a1a0a'

/** Decodes the PNGs that we write: 8 bits, RGB or RGBA, not interlaced. */
export function readPng(bytes: Uint8Array): Pixels {
  const png = Buffer.from(bytes)
  if (png.subarray(0, 8).toString('hex') !== SIGNATURE) throw new Error('Not a PNG.')
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const channels = png[25] === 6 ? 4 : 3
  const chunks: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') chunks.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  const pixels = unfilter(inflateSync(Buffer.concat(chunks)), width * channels, height, channels)
  const at = (x: number, y: number) => {
    const from = (y * width + x) * channels
    return `#${pixels.toString('hex', from, from + 3)}`
  }
  const seen = new Set<string>()
  for (let y = 0; y < height; y += 3) for (let x = 0; x < width; x += 3) seen.add(at(x, y))
  return { width, height, colors: seen.size, at }
}

function unfilter(raw: Buffer, stride: number, height: number, channels: number): Buffer {
  const out = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)]
    for (let x = 0; x < stride; x++) {
      const left = x >= channels ? (out[y * stride + x - channels] as number) : 0
      const up = y > 0 ? (out[(y - 1) * stride + x] as number) : 0
      const corner = x >= channels && y > 0 ? (out[(y - 1) * stride + x - channels] as number) : 0
      const guess = guessOf(filter, left, up, corner)
      out[y * stride + x] = (raw[y * (stride + 1) + 1 + x] as number) + guess
    }
  }
  return out
}

function guessOf(filter: number | undefined, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  return filter === 4 ? paeth(left, up, corner) : 0
}

function paeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner)
  const toUp = Math.abs(left - corner)
  const toCorner = Math.abs(left + up - 2 * corner)
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}
