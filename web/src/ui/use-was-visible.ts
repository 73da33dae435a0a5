import { useLayoutEffect, useRef, useState } from 'react'

/** Tells whether an element has ever been visible; known before the first paint. */
export function useSeen<T extends HTMLElement>() {
  const ref = useRef<T>(null)
  const [wasSeen, setSeen] = useState(false)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const { top, bottom } = element.getBoundingClientRect()
    if (top < innerHeight && bottom > 0) return setSeen(true)
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      setSeen(true)
      observer.disconnect()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, wasSeen }
}
