import { Box, Group, SegmentedControl, Text } from '@mantine/core'
import { type ReactNode, useCallback } from 'react'
import { pluralize } from '#model/pluralize.ts'
import { Choice } from '../form/choice.tsx'
import { QueryContent } from '../page/states.tsx'
import classes from './list.module.css'
import { NothingFound } from './nothing-found.tsx'
import { loadedCount, type Pages, totalCount } from './pages.ts'
import { SearchBox } from './search-box.tsx'
import type { ListSearch } from './search-params.ts'
import { TagFilter } from './tags.tsx'
import type { TrashSearch } from './trash-search.ts'

interface Option {
  readonly value: string
  readonly label: string
}

interface ListFiltersProps<View extends string, Sort extends string> {
  /** Plural noun: "dashboards". */
  readonly things: string
  readonly views: readonly Option[]
  readonly sorts: readonly Option[]
  readonly defaultSort?: Sort
  readonly knownTags: Parameters<typeof TagFilter>[0]['known']
  readonly search: ListSearch<View, Sort>
  readonly onChange: (change: ListSearch<View, Sort>) => void
}

/** View, search, tags and order of a list. */
export function ListFilters<View extends string, Sort extends string>({
  things,
  views,
  sorts,
  defaultSort,
  knownTags,
  search,
  onChange,
}: ListFiltersProps<View, Sort>) {
  return (
    <>
      <SegmentedControl
        aria-label="View"
        mb="sm"
        className={classes.views}
        data={[...views]}
        value={search.view ?? 'all'}
        onChange={(view) => onChange({ view: view === 'all' ? undefined : (view as View) })}
      />
      <div className={classes.filters}>
        <SearchBox
          label={`Search ${things}`}
          value={search.search}
          onSearch={(text) => onChange({ search: text })}
        />
        <TagFilter
          known={knownTags}
          value={search.tags ?? []}
          onChange={(chosen) => onChange({ tags: chosen.length > 0 ? chosen : undefined })}
        />
        <Choice
          aria-label="Sort"
          data={[...sorts]}
          value={search.sort ?? defaultSort ?? ''}
          onChange={(sort) => onChange({ sort: (sort || undefined) as Sort | undefined })}
        />
      </div>
    </>
  )
}

/** The pages of a list and how to load more, as `Windowed` needs them. */
export interface LoadedList<T> {
  readonly pages: Pages<T>
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly onMore: () => void
}

interface ListResultsProps<T> {
  /** Singular noun: "dashboard". */
  readonly thing: string
  /** The fields that are searched. */
  readonly searched?: string
  readonly search: ListSearch<string, string>
  readonly onChange: (change: { search: undefined; tags: undefined }) => void
  readonly query: {
    readonly data: Pages<T> | undefined
    readonly error: Error | null
    readonly refetch: () => unknown
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
  }
  /** Set if a search stops once it has filled a page, so that it does not know the count. */
  readonly stopsEarly?: true
  /** Shown if there are none, and neither search nor tags are set. */
  readonly empty: ReactNode
  readonly children: (list: LoadedList<T>) => ReactNode
}

/** The count and the rows of a list, or why it is empty. */
export function ListResults<T>({ thing, search, query, ...props }: ListResultsProps<T>) {
  const { fetchNextPage } = query
  const onMore = useCallback(() => void fetchNextPage(), [fetchNextPage])
  const isFiltered = search.search !== undefined || search.tags !== undefined
  return (
    <QueryContent query={query}>
      {(pages) => {
        const count = totalCount(pages)
        if (count === 0 && isFiltered) {
          const onClear = () => props.onChange({ search: undefined, tags: undefined })
          return <NothingFound thing={thing} searched={props.searched} onClear={onClear} />
        }
        if (count === 0) return props.empty
        const isPartial = props.stopsEarly && isFiltered && query.hasNextPage
        return (
          <>
            <Text size="sm" c="dimmed" mb="xs" role="status" className="tabular">
              {isPartial
                ? `First ${pluralize(loadedCount(pages), thing)}`
                : pluralize(count, thing)}
              {search.view === 'trash' && ' in the trash'}
            </Text>
            {props.children({
              pages,
              hasMore: query.hasNextPage,
              isLoadingMore: query.isFetchingNextPage,
              onMore,
            })}
          </>
        )
      }}
    </QueryContent>
  )
}

interface TrashFiltersProps {
  /** The name of the search box. */
  readonly label: string
  readonly search: TrashSearch
  readonly onChange: (change: TrashSearch) => void
}

/** Searches a list, or its trash. */
export const TrashFilters = ({ label, search, onChange }: TrashFiltersProps) => (
  <Group gap="xs" mb="md">
    <SegmentedControl
      aria-label="View"
      data={[
        { value: 'all', label: 'All' },
        { value: 'trash', label: 'Trash' },
      ]}
      value={search.view ?? 'all'}
      onChange={(view) => onChange({ view: view === 'trash' ? view : undefined })}
    />
    <Box flex="1 1 240px">
      <SearchBox
        label={label}
        value={search.search}
        onSearch={(text) => onChange({ search: text })}
      />
    </Box>
  </Group>
)
