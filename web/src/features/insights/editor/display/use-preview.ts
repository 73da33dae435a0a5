import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import type { QueryNode } from '#model/query-kinds/index.ts'
import { type QueryResult, useQueryResult } from '../api.ts'
import { findIncomplete } from './incomplete.ts'

/** A result and the query it belongs to; a newer query has none yet. */
interface ShownResult {
  readonly node: QueryNode
  readonly result: QueryResult
}

const WAIT_MS = 400

/** Runs the edited query shortly after the last change; SQL runs on demand. */
export function usePreview(node: QueryNode) {
  const { wanted, runSql, ranSql } = useWantedQuery(node)
  const [lastComplete, setLastComplete] = useState<QueryNode>()
  const isComplete = findIncomplete(wanted) === undefined
  if (isComplete && wanted !== lastComplete) setLastComplete(wanted)
  const query = isComplete ? wanted : lastComplete
  const { data, error, isFetching, isPlaceholderData, refetch } = useQueryResult(query)
  const [shown, setShown] = useState<ShownResult>()
  const isNew = data !== shown?.result || query !== shown?.node
  if (query && data && !isPlaceholderData && isNew) setShown({ node: query, result: data })
  return {
    shown,
    incomplete: findIncomplete(node),
    error,
    isWaiting: isFetching,
    run: (text: string) => {
      runSql(text)
      if (text === ranSql) void refetch()
    },
    refresh: () => void refetch(),
  }
}

/** The edited query, debounced; SQL as it was last run. */
function useWantedQuery(node: QueryNode) {
  const [settled] = useDebouncedValue(node, WAIT_MS)
  const [ranSql, runSql] = useState<string>()
  const text = node.source.kind === 'HogQLQuery' ? node.source.query : undefined
  if (text !== undefined && ranSql === undefined) runSql(text) // the first SQL runs at once
  const wanted = useMemo(
    () => (text === undefined ? settled : withSql(node, ranSql ?? text)),
    [node, settled, text, ranSql],
  )
  return { wanted, ranSql, runSql }
}

/** The display changes at once; the SQL changes when it is run. */
const withSql = (node: QueryNode, query: string): QueryNode => ({
  ...node,
  source: { ...node.source, query } as QueryNode['source'],
})
