import { useViewportSize } from '@mantine/hooks'
import { type RefObject, useLayoutEffect, useState } from 'react'
import { toScale } from './scale.ts'

/** Measures the content, whose height does not depend on the scale because tiles have fixed heights. */
export function useScale(content: RefObject<HTMLElement | null>) {
  const screen = useViewportSize()
  const [height, setHeight] = useState(0)
  useLayoutEffect(() => {
    const element = content.current
    if (!element) return
    const observer = new ResizeObserver(() => setHeight(element.scrollHeight))
    for (const child of element.children) observer.observe(child)
    setHeight(element.scrollHeight)
    return () => observer.disconnect()
  }, [content])
  return toScale(screen.width > 0 ? screen : { width: innerWidth, height: innerHeight }, height)
}
