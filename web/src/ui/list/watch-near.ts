type Report = (isNear: boolean, bounds: DOMRectReadOnly) => void

const MARGIN = '800px 0px'

const reports = new WeakMap<Element, Report>()
let observer: IntersectionObserver | undefined

/**
 * Reports when an element comes near the viewport or leaves it. Returns a function that stops it. One observer serves
 * all elements, because each observer takes time in every frame.
 */
export function watchNear(element: Element | null, report: Report): (() => void) | undefined {
  if (!element) return
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries) {
        reports.get(target)?.(isIntersecting, boundingClientRect)
      }
    },
    { rootMargin: MARGIN },
  )
  reports.set(element, report)
  observer.observe(element)
  return () => observer?.unobserve(element)
}
