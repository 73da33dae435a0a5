/**
 * Falls back if Markdown is nested too deeply: the parser recurses into nested quotes and lists, and thousands of levels
 * overflow the stack.
 */
export function unlessTooDeep<T>(read: () => T, instead: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return instead()
    throw error
  }
}
