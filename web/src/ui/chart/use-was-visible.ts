import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** Tells whether an element has ever been visible, or is printed; known before the first paint. */
export function useWasVisible<T extends HTMLElement>() {
  const ref = useRef<T>(null)
  const [wasVisible, setWasVisible] = useState(false)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const { top, bottom } = element.getBoundingClientRect()
    if (top < innerHeight && bottom > 0) return setWasVisible(true)
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      setWasVisible(true)
      observer.disconnect()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const show = () => flushSync(() => setWasVisible(true)) // the paper does not wait
    addEventListener('beforeprint', show)
    return () => removeEventListener('beforeprint', show)
  }, [])
  return { ref, wasVisible }
}
