/**
 * Empties the process for an app that escapes its context. This is the weakest layer: the permission model, the
 * kernel's limits and a host that validates every message come before it.
 */
export function harden(): void {
  const { process } = globalThis
  for (const name of DANGEROUS) removeProperty(process, name)
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!LANGUAGE_GLOBALS.has(name)) removeProperty(globalThis, name)
  }
}

function removeProperty(from: object, name: string): void {
  try {
    if (Reflect.deleteProperty(from, name)) return
    Reflect.set(from, name, undefined)
  } catch {
    // frozen, so it cannot be misused either
  }
}

const DANGEROUS = [
  'kill',
  '_kill',
  '_debugProcess',
  '_debugEnd',
  '_startProfilerIdleNotifier',
  '_linkedBinding',
  'binding',
  'dlopen',
  'execve',
  'abort',
  'chdir',
  'umask',
  'setuid',
  'seteuid',
  'setgid',
  'setegid',
  'setgroups',
  'initgroups',
  'getBuiltinModule',
  'mainModule',
  'loadEnvFile',
  'report',
  'ppid',
  'send',
  'disconnect',
  'channel',
  'stdout',
  'stderr',
  'openStdin',
  'env',
  'argv',
  'execArgv',
  'execPath',
  'permission',
  'finalization',
  'setSourceMapsEnabled',
  'setUncaughtExceptionCaptureCallback',
  'addUncaughtExceptionCaptureCallback',
  'getActiveResourcesInfo',
  '_getActiveHandles',
  '_getActiveRequests',
]

/** The globals of the language, without Node's. */
const LANGUAGE_GLOBALS = new Set(
  `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp
   Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError globalThis
   JSON Math Intl ArrayBuffer Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float16Array
   Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set Iterator
   WeakMap WeakSet WeakRef Proxy Reflect FinalizationRegistry decodeURI decodeURIComponent encodeURI
   encodeURIComponent escape unescape isFinite isNaN DisposableStack AsyncDisposableStack Temporal`.split(
    /\s+/,
  ),
)
