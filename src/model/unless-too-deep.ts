/**
 * Whoever reads Markdown goes a step deeper for each quote in a quote and list in a list, and thousands of them are
 * more than the stack holds. Such a text is no reason to show nothing.
 */
export function unlessTooDeep<T>(read: () => T, instead: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return instead()
    throw error
  }
}
