/** The part of the tar format (POSIX ustar) that a backup uses: plain files with short names. */

export const TAR_BLOCK = 512
/** Two empty blocks end an archive. */
export const END = Buffer.alloc(2 * TAR_BLOCK)

export interface ArchiveMember {
  readonly name: string
  readonly size: number
  /** Seconds since 1970. */
  readonly modifiedAt: number
}

const MAX_NAME = 100
const MAX_SIZE = 8 ** 11 - 1

export function toHeader({ name, size, modifiedAt }: ArchiveMember): Buffer {
  if (name.length > MAX_NAME || size > MAX_SIZE) throw new Error(`${name} does not fit into a tar`)
  const header = Buffer.alloc(TAR_BLOCK)
  header.write(name, 0, 'ascii')
  header.write(toOctal(0o600, 8), 100, 'ascii')
  header.write(toOctal(0, 8), 108, 'ascii')
  header.write(toOctal(0, 8), 116, 'ascii')
  header.write(toOctal(size, 12), 124, 'ascii')
  header.write(toOctal(modifiedAt, 12), 136, 'ascii')
  header.write(' '.repeat(8), 148, 'ascii') // the sum below is that of a header with an empty sum
  header.write('0', 156, 'ascii')
  header.write('ustar\u000000', 257, 'ascii')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148, 'ascii')
  return header
}

/** Returns undefined unless the header is exactly as `toHeader` writes it. */
export function parseHeader(header: Buffer): ArchiveMember | undefined {
  const name = header.toString('latin1', 0, MAX_NAME).replace(/\0.*$/s, '')
  const member = { name, size: readOctal(header, 124), modifiedAt: readOctal(header, 136) }
  if (!isSafeName(name) || Number.isNaN(member.size) || Number.isNaN(member.modifiedAt)) return
  return toHeader(member).equals(header) ? member : undefined
}

/** Relative, without dots at the start of a part, so that no name leads out of a folder. */
const isSafeName = (name: string): boolean =>
  /^[a-z0-9_-][\w.-]*(\/[a-z0-9_-][\w.-]*)*$/i.test(name)

const toOctal = (number: number, length: number): string =>
  `${number.toString(8).padStart(length - 1, '0')}\u0000`

function readOctal(header: Buffer, at: number): number {
  const text = header.toString('latin1', at, at + 11)
  return /^[0-7]{11}$/.test(text) ? Number.parseInt(text, 8) : Number.NaN
}

export const toPadding = (size: number): number => (TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK
