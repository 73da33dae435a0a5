/** Kept before the process is emptied. */
const { Buffer, URL, URLSearchParams } = globalThis
const load = require

/** What concerns the whole process, or would only fail. */
const LEFT_OUT = ['default', 'fips', 'setFips', 'setEngine', 'secureHeapUsed', 'getFips']

export { Buffer, URL, URLSearchParams }

/** Node's own modules are part of its binary: they can be loaded when nothing else can, and zlib alone takes 15 ms. */
export function loadModule(name: 'crypto' | 'url' | 'zlib'): Record<string, unknown> {
  const module = load(`node:${name}`) as Record<string, unknown>
  return Object.fromEntries(
    Object.keys(module)
      .filter((key) => !LEFT_OUT.includes(key))
      .map((key) => [key, module[key]]),
  )
}

/** What `Buffer` is made of. */
export const binary = {
  ArrayBuffer,
  DataView,
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
}
