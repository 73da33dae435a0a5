import { configure, prettyDOM } from '@testing-library/react'

configure({
  // a busy machine is slow, and an element that never appears fails the test anyway
  asyncUtilTimeout: 15_000,
  getElementError: toElementError,
})

/** Prints the document only if the message is read: waiting for an element creates an error for each failed attempt. */
function toElementError(message: string | null, container: Element): Error {
  const error = new Error()
  error.name = 'TestingLibraryElementError'
  const get = () => `${message ?? ''}\n\n${prettyDOM(container)}`
  Object.defineProperty(error, 'message', { get, configurable: true })
  return error
}

// happy-dom has no fonts; growing text areas measure again when one is loaded
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })

// happy-dom has no layout; a grid draws its tiles once it has a width
for (const [name, value] of Object.entries({ clientWidth: 1024, clientHeight: 600 })) {
  Object.defineProperty(HTMLElement.prototype, name, { get: () => value, configurable: true })
}

/** Inherits only the visibility: queries by role need nothing else beside the element's own style. */
function computeStyle(element: Element): CSSStyleDeclaration {
  const { style } = element as HTMLElement
  const { visibility } = element.closest<HTMLElement>('[style*="visibility"]')?.style ?? style
  if (visibility === style.visibility) return style
  return new Proxy(style, {
    get: (target, name) => (name === 'visibility' ? visibility : Reflect.get(target, name, target)),
  })
}

// happy-dom checks every rule and ancestor, which takes most of the time of a query by role; tests have no style sheets
window.getComputedStyle = computeStyle
