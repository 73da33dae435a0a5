/**
 * Falls back when Markdown nests too deep: the parser recurses into each quote in a quote and list in a list, and
 * thousands of them overflow the stack.
 */
export function unlessTooDeep<T>(read: () => T, instead: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return instead()
    throw error
  }
}
