/**
 * Functions on bytes that the process itself uses. They are taken before the app can replace them, because the app has
 * the same `Buffer`.
 */

/** Makes a function of a method, with the object as the first argument. */
const uncurry = <Self, Args extends unknown[], Result>(
  _owner: Self,
  method: (...args: Args) => Result,
): ((self: Self, ...args: Args) => Result) => Function.prototype.call.bind(method) as never

export const { allocUnsafe: allocate } = Buffer
const { from } = Buffer
export const subarray: (bytes: Buffer, start: number, end?: number) => Buffer = uncurry(
  Buffer.prototype,
  Buffer.prototype.subarray,
)
const copyInto = uncurry(Buffer.prototype, Buffer.prototype.set)
const decode = uncurry(TextDecoder.prototype, TextDecoder.prototype.decode)
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export const toBytes = (text: string): Uint8Array => from(text, 'utf8')
export const toText = (bytes: Uint8Array): string => decode(decoder, bytes)

export const readUint32 = (bytes: Uint8Array): number =>
  (((bytes[0] ?? 0) << 24) | ((bytes[1] ?? 0) << 16) | ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0)) >>>
  0

export function writeUint32(bytes: Uint8Array, value: number): void {
  bytes[0] = value >>> 24
  bytes[1] = value >>> 16
  bytes[2] = value >>> 8
  bytes[3] = value
}

/** Joins two parts into one, with room in front. */
export function join(first: Uint8Array, second: Uint8Array, room = 0): Buffer {
  const joined = allocate(room + first.length + second.length)
  copyInto(joined, first, room)
  copyInto(joined, second, room + first.length)
  return joined
}
