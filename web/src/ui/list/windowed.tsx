import { Button, Loader } from '@mantine/core'
import { memo, type ReactNode, useEffect, useRef, useState } from 'react'
import type { ListPage } from '../../api/client.ts'
import classes from './list.module.css'
import { PAGE_SIZE } from './pages.ts'
import { watchNear } from './watch-near.ts'

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

/** Rows that appear together: few enough to render within a frame while scrolling. */
const CHUNK = 10
/** Rows of the first page that render at once, before it is known which are near the viewport. */
const FIRST = 30
/** Pixels of a row of one line, until its chunk was rendered. */
const ROW_HEIGHT = 57

/** Renders only the rows near the viewport and fetches the next page ahead. */
export function Windowed<T>({ label, pages, row, ...more }: WindowedProps<T>) {
  return (
    <>
      {pages.flatMap(({ results }, index) =>
        chunkStarts(results.length).map((start) => (
          <Rows
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by their position
            key={index * PAGE_SIZE + start}
            label={label}
            offset={index * PAGE_SIZE}
            items={results}
            start={start}
            row={row as (item: unknown) => ReactNode}
          />
        )),
      )}
      {more.hasMore && <More {...more} />}
    </>
  )
}

const chunkStarts = (length: number): number[] =>
  Array.from({ length: Math.ceil(length / CHUNK) }, (_, index) => index * CHUNK)

interface RowsProps {
  readonly label: string
  /** Position of the page in the list. */
  readonly offset: number
  /** The whole page, because a part of it would be a new array each time. */
  readonly items: readonly unknown[]
  /** Position of the chunk in the page. */
  readonly start: number
  readonly row: (item: unknown) => ReactNode
}

const Rows = memo(function Rows({ label, offset, items, start, row }: RowsProps) {
  const list = useRef<HTMLUListElement>(null)
  const end = Math.min(start + CHUNK, items.length)
  // the height that stands for the rows while they are far away
  const [height, setHeight] = useState(
    // a further page was fetched because its first rows are near
    start < (offset === 0 ? FIRST : CHUNK) ? undefined : (end - start) * ROW_HEIGHT,
  )
  useEffect(
    () =>
      watchNear(list.current, (isNear, bounds) => setHeight(isNear ? undefined : bounds.height)),
    [],
  )
  return (
    <ul
      ref={list}
      className={classes.page}
      aria-label={`${label} ${offset + start + 1} to ${offset + end}`}
      style={{ height }}
    >
      {height === undefined && items.slice(start, end).map(row)}
    </ul>
  )
})

function More({ isLoadingMore, onMore }: Pick<WindowedProps<unknown>, 'isLoadingMore' | 'onMore'>) {
  const ref = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => watchNear(ref.current, setNear), [])
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
