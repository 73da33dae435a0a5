import * as React from 'react'
import { flushSync } from 'react-dom'

/**
 * Renders what the callback changes before it returns. Testing Library calls it, and React has it only in its
 * development build; tests use the production build, as users do, because it takes less time.
 */
function act(callback: () => unknown): PromiseLike<unknown> {
  const result = flushSync(callback)
  if (result instanceof Promise) return result
  // like React's, it must not be a promise: nobody awaits it
  // biome-ignore lint/suspicious/noThenProperty: it is awaited if the caller wants that
  return { then: (resolve) => resolve?.(result) as never }
}

Object.assign((React as unknown as { default: object }).default, { act })
