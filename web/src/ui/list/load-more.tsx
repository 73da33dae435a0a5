import { Button, Center, type CenterProps } from '@mantine/core'

interface LoadMoreProps extends CenterProps {
  readonly query: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
  }
  readonly label?: string
}

/** A button for the next page, if there is one. */
export function LoadMore({ query, label = 'Load more', ...props }: LoadMoreProps) {
  if (!query.hasNextPage) return null
  return (
    <Center {...props}>
      <Button
        variant="default"
        loading={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        {label}
      </Button>
    </Center>
  )
}
