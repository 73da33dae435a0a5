import { Button, Loader } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Page } from '../../api/client.ts'
import classes from './list.module.css'
import { PAGE } from './pages.ts'

interface WindowedProps<T> {
  /** What they are together: "Dashboards". */
  readonly label: string
  readonly pages: readonly Page<T>[]
  /** Draws one. It must stay the same function while the rows stay the same. */
  readonly row: (item: T) => ReactNode
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly onMore: () => void
}

/** However long a list is, only the pages near the viewport are there; the next one is asked for before it is reached. */
export function Windowed<T>({ label, pages, row, ...more }: WindowedProps<T>) {
  return (
    <>
      {pages.map((page, index) => (
        <PageOfRows
          // biome-ignore lint/suspicious/noArrayIndexKey: a page is known by its place
          key={index}
          label={`${label} ${index * PAGE + 1} to ${index * PAGE + page.results.length}`}
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
  const { ref, entry } = useIntersection({ rootMargin: '1200px 0px' })
  const list = useRef<HTMLUListElement | null>(null)
  const [height, setHeight] = useState<number>()
  const isNear = entry?.isIntersecting ?? true
  useLayoutEffect(() => {
    if (isNear) setHeight(list.current?.offsetHeight)
  })
  return (
    <ul
      ref={(element) => {
        list.current = element
        ref(element)
      }}
      className={classes.page}
      aria-label={label}
      style={isNear ? undefined : { height }}
    >
      {isNear && items.map(row)}
    </ul>
  )
})

function More({ isLoadingMore, onMore }: Pick<WindowedProps<unknown>, 'isLoadingMore' | 'onMore'>) {
  const { ref, entry } = useIntersection({ rootMargin: '800px 0px' })
  const isNear = entry?.isIntersecting ?? false
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
