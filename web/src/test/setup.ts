import { configure } from '@testing-library/react'

// a busy machine is slow: what never appears fails the test either way
configure({ asyncUtilTimeout: 15_000 })

// happy-dom has no fonts; growing text areas measure again when one is loaded
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })

// happy-dom has no layout; a grid draws its tiles once it has a width
for (const [name, value] of Object.entries({ clientWidth: 1024, clientHeight: 600 })) {
  Object.defineProperty(HTMLElement.prototype, name, { get: () => value, configurable: true })
}
