/** Taken before `harden` removes them. */
const { Buffer, URL, URLSearchParams } = globalThis
const load = require

/** Functions that concern the whole process, or could only fail. */
const EXCLUDED = ['default', 'fips', 'setFips', 'setEngine', 'secureHeapUsed', 'getFips']

export { Buffer, URL, URLSearchParams }

/**
 * Loads one of Node's own modules, which needs no file. On demand, because zlib alone takes 15 ms.
 */
export function loadModule(name: string): Record<string, unknown> {
  const module = load(`node:${name}`) as Record<string, unknown>
  return Object.fromEntries(
    Object.keys(module)
      .filter((key) => !EXCLUDED.includes(key))
      .map((key) => [key, module[key]]),
  )
}

/** The classes that `Buffer` is built on. */
export const binary = Object.freeze({
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
})
