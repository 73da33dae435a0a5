import { useViewportSize } from '@mantine/hooks'
import { type RefObject, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { toScale } from './scale.ts'

/**
 * Measures the content, whose height does not depend on the scale because tiles have fixed heights. `isMeasured` is false
 * until the tiles, which are the last child, have their places.
 */
export function useScale(content: RefObject<HTMLElement | null>, hasTiles: boolean) {
  const screen = useViewportSize()
  const [height, setHeight] = useState(0)
  useLayoutEffect(() => {
    const element = content.current
    if (!element) return
    const measure = () => {
      const isPlaced = !hasTiles || (element.lastElementChild?.clientHeight ?? 0) > 0
      setHeight(isPlaced ? element.scrollHeight : 0)
    }
    // before the next paint, or the content would be seen in another size first
    const observer = new ResizeObserver(() => flushSync(measure))
    for (const child of element.children) observer.observe(child)
    measure()
    return () => observer.disconnect()
  }, [content, hasTiles])
  const shown = screen.width > 0 ? screen : { width: innerWidth, height: innerHeight }
  return { ...toScale(shown, height), isMeasured: height > 0 }
}
