class Decoder {
  decode(bytes: Uint8Array | undefined): string {
    return bytes
      ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
      : ''
  }
}

class Encoder {
  encode(text = ''): Uint8Array {
    return Uint8Array.from(Buffer.from(text))
  }
}

/** Gives `hyparquet` the two globals that apps lack. */
const lacking = Object.entries({ TextDecoder: Decoder, TextEncoder: Encoder }).filter(
  ([name]) => !Reflect.has(globalThis, name),
)
Object.assign(globalThis, Object.fromEntries(lacking))
