/**
 * Freezes the language of the process's own realm. The app has the language of its context to itself and may change
 * it, for example by polyfills; through an object of the process it could otherwise change what Node's code and ours
 * rely on. `ArrayBuffer` and its views stay open: they are the app's too.
 */
export function freezeIntrinsics(): void {
  for (const prototype of OVERRIDDEN) allowOverrides(prototype)
  for (const intrinsic of [...listGlobals(), ...listHidden()]) Object.freeze(intrinsic)
}

const NAMES =
  `Object Function Array Number Boolean String Symbol BigInt Date Promise RegExp Map Set WeakMap WeakSet
  WeakRef FinalizationRegistry Proxy Iterator Error AggregateError EvalError RangeError ReferenceError SyntaxError
  TypeError URIError SuppressedError`.split(/\s+/)

/** Prototypes whose properties Node sets on instances: `error.name = ...`. */
const OVERRIDDEN = [
  Object,
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
].map(({ prototype }) => prototype)

function listGlobals(): object[] {
  const constructors = NAMES.map((name) => Reflect.get(globalThis, name) as { prototype?: object })
  const prototypes = constructors
    .map(({ prototype }) => prototype)
    .filter((one) => one !== undefined)
  return [...constructors, ...prototypes, Reflect, JSON, Math]
}

/** Lists the objects of the language that have no global name. */
function listHidden(): object[] {
  const functions = [function* () {}, async function* () {}, async () => {}]
  const iterators = [
    [].values(),
    new Map().values(),
    new Set().values(),
    ''[Symbol.iterator](),
    'a'.matchAll(/a/g),
  ]
  const generators = [(function* () {})(), (async function* () {})()]
  return [...functions, ...iterators, ...generators].flatMap((value) => {
    const chain: object[] = []
    for (
      let at = Object.getPrototypeOf(value);
      at && !chain.includes(at);
      at = Object.getPrototypeOf(at)
    )
      chain.push(at)
    return [...chain, ...chain.map((prototype) => prototype.constructor)]
  })
}

/** Lets objects have a property of their own where the frozen prototype has one, as before the freeze. */
function allowOverrides(prototype: object): void {
  for (const key of Reflect.ownKeys(prototype)) {
    const {
      value,
      writable,
      enumerable = false,
    } = Object.getOwnPropertyDescriptor(prototype, key) ?? {}
    if (!writable) continue
    Object.defineProperty(prototype, key, {
      get: () => value,
      set(this: object, own: unknown) {
        if (this === prototype) throw new TypeError(`'${String(key)}' is read-only.`)
        Object.defineProperty(this, key, {
          value: own,
          writable: true,
          enumerable: true,
          configurable: true,
        })
      },
      enumerable,
      configurable: false,
    })
  }
}
