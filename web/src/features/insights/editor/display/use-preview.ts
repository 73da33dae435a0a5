import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { type QueryNode, writtenText } from '#model/query-kinds/index.ts'
import { type QueryResponse, useQueryResult } from '../api.ts'
import { withText } from '../query-model.ts'
import { findIncomplete } from './incomplete.ts'

/** A result and the query it belongs to; a newer query has none yet. */
interface ShownResult {
  readonly node: QueryNode
  readonly result: QueryResponse
}

const WAIT_MS = 400

/** Runs the edited query shortly after the last change; text runs on demand. */
export function usePreview(node: QueryNode) {
  const { wanted, runText, ranText } = useWantedQuery(node)
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
      runText(text)
      if (text === ranText) void refetch()
    },
    refresh: () => void refetch(),
  }
}

/** Returns the edited query, debounced; text as it was last run. */
function useWantedQuery(node: QueryNode) {
  const [settled] = useDebouncedValue(node, WAIT_MS)
  const [ranText, runText] = useState<string>()
  const text = writtenText(node.source)
  if (text !== undefined && ranText === undefined) runText(text) // the first text runs at once
  // the display changes at once, the text when it is run
  const wanted = useMemo(
    () => (text === undefined ? settled : withText(node, ranText ?? text)),
    [node, settled, text, ranText],
  )
  return { wanted, ranText, runText }
}
