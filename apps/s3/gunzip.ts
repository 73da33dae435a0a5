import { createGunzip } from 'node:zlib'

const MAGIC = [0x1f, 0x8b]

/** Unpacks what begins as gzip does, whatever the name of the file says. */
export async function* unpack(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = pieces[Symbol.asyncIterator]()
  const first = await source.next()
  if (first.done) return
  const all = withFirst(first.value, source)
  if (first.value[0] === MAGIC[0] && first.value[1] === MAGIC[1]) yield* gunzip(all)
  else yield* all
}

async function* withFirst(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

async function* gunzip(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const unpacker = createGunzip()
  const feed = async () => {
    for await (const piece of pieces) {
      // ends when the piece is unpacked and read, which bounds the memory
      await new Promise<void>((resolve, reject) => {
        unpacker.write(piece, (error) => (error ? reject(error) : resolve()))
      })
    }
    unpacker.end()
  }
  feed().catch((error) => unpacker.destroy(error))
  yield* unpacker
}
