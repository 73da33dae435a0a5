import { EventEmitter } from 'node:events'
import os from 'node:os'
import { freezeIntrinsics } from './freeze-intrinsics.ts'

/**
 * Empties the process for an app that escapes its context: nothing is left that opens, starts, signals or renices
 * anything. This is the weakest layer: the permission model, the kernel's limits and a host that validates every
 * message come before it. Call it before any app code runs.
 */
export function harden(): void {
  const { process } = globalThis
  freezeIntrinsics()
  keepOnly(process, NEEDED_BY_NODE)
  // Node emits through it, and the app can change the prototype that every emitter shares
  Object.setPrototypeOf(process, copyPrototype(EventEmitter.prototype))
  removeProperty(os, 'setPriority')
  keepOnly(globalThis, LANGUAGE_GLOBALS)
}

function keepOnly(object: object, kept: ReadonlySet<string>): void {
  for (const name of Object.getOwnPropertyNames(object)) {
    if (!kept.has(name)) removeProperty(object, name)
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

const copyPrototype = (prototype: object): object =>
  Object.freeze(Object.create(null, Object.getOwnPropertyDescriptors(prototype)))

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** The properties of `process` that Node's own code reads while apps run. */
const NEEDED_BY_NODE = words(
  `version versions arch platform release cwd nextTick emitWarning exitCode domain _exiting _fatalException
   _events _eventsCount _maxListeners`,
)

/** The globals of the language, without Node's. */
const LANGUAGE_GLOBALS = words(
  `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp
   Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError globalThis
   JSON Math Intl ArrayBuffer Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float16Array
   Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set Iterator
   WeakMap WeakSet WeakRef Proxy Reflect FinalizationRegistry decodeURI decodeURIComponent encodeURI
   encodeURIComponent escape unescape isFinite isNaN DisposableStack AsyncDisposableStack Temporal`,
)
