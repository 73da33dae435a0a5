import { Button, Loader } from '@mantine/core'
import {
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { ListPage } from '../../api/client.ts'
import classes from './list.module.css'
import { PAGE_SIZE } from './pages.ts'

interface WindowedProps<T> {
  /** Plural noun: "Dashboards". */
  readonly label: string
  readonly pages: readonly ListPage<T>[]
  /** Renders one row. Must be stable while the rows are. */
  readonly row: (item: T) => ReactNode
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly onMore: () => void
}

/** Renders only the pages near the viewport and fetches the next one ahead. */
export function Windowed<T>({ label, pages, row, ...more }: WindowedProps<T>) {
  return (
    <>
      {pages.map((page, index) => (
        <PageOfRows
          // biome-ignore lint/suspicious/noArrayIndexKey: a page is identified by its position
          key={index}
          label={`${label} ${index * PAGE_SIZE + 1} to ${index * PAGE_SIZE + page.results.length}`}
          items={page.results}
          row={row as (item: unknown) => ReactNode}
        />
      ))}
      {more.hasMore && <More {...more} />}
    </>
  )
}

interface PageOfRowsProps {
  readonly label: string
  readonly items: readonly unknown[]
  readonly row: (item: unknown) => ReactNode
}

const PageOfRows = memo(function PageOfRows({ label, items, row }: PageOfRowsProps) {
  const list = useRef<HTMLUListElement>(null)
  const height = useRef<number>(undefined)
  const isNear = useIsNear(list, '1200px 0px', true)
  useLayoutEffect(() => {
    if (isNear) height.current = list.current?.offsetHeight
  })
  return (
    <ul
      ref={list}
      className={classes.page}
      aria-label={label}
      style={isNear ? undefined : { height: height.current }}
    >
      {isNear && items.map(row)}
    </ul>
  )
})

/** Tells whether an element is in or near the viewport. */
function useIsNear(ref: RefObject<Element | null>, margin: string, atFirst: boolean): boolean {
  const [isNear, setNear] = useState(atFirst)
  useEffect(() => {
    if (!ref.current) return
    const watch = new IntersectionObserver(
      (entries) => setNear(entries.at(-1)?.isIntersecting ?? atFirst),
      { rootMargin: margin },
    )
    watch.observe(ref.current)
    return () => watch.disconnect()
  }, [ref, margin, atFirst])
  return isNear
}

function More({ isLoadingMore, onMore }: Pick<WindowedProps<unknown>, 'isLoadingMore' | 'onMore'>) {
  const ref = useRef<HTMLDivElement>(null)
  const isNear = useIsNear(ref, '800px 0px', false)
  useEffect(() => {
    if (isNear && !isLoadingMore) onMore()
  }, [isNear, isLoadingMore, onMore])
  return (
    <div ref={ref} className={classes.more}>
      {isLoadingMore ? (
        <Loader size="sm" aria-label="Loading more" />
      ) : (
        <Button variant="subtle" size="xs" onClick={onMore}>
          Load more
        </Button>
      )}
    </div>
  )
}
