/** Replaces each method of an object. */
export const wrapMethods = <Methods extends object>(
  methods: Methods,
  wrap: <Args extends unknown[], T>(
    method: (...args: Args) => Promise<T>,
  ) => (...args: Args) => Promise<T>,
): Methods => {
  const wrapped = Object.entries(methods).map(([name, method]) => [name, wrap(method)])
  return Object.fromEntries(wrapped)
}

/** Makes methods open something first: `wrapMethods(methods, openFirst(open))`. */
export const openFirst =
  (open: () => Promise<unknown>) =>
  <Args extends unknown[], T>(method: (...args: Args) => Promise<T>) =>
  async (...args: Args): Promise<T> => {
    await open()
    return method(...args)
  }
