import { configure } from '@testing-library/react'

// a busy machine is slow, and an element that never appears fails the test anyway
configure({ asyncUtilTimeout: 15_000 })

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
