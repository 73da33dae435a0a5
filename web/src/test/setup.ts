import { configure } from '@testing-library/react'

// a busy machine is slow: what never appears fails the test either way
configure({ asyncUtilTimeout: 15_000 })

// happy-dom has no fonts; growing text areas measure again when one is loaded
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })
