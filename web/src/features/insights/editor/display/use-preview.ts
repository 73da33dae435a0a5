import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { type QueryResult, useQueryResult } from '../api.ts'
import type { QueryNode } from '../query-model.ts'
import { findIncomplete } from './incomplete.ts'

/** An answer, and what it answers: a newer question has none yet. */
interface ShownResult {
  readonly node: QueryNode
  readonly answer: QueryResult
}

const WAIT_MS = 400

/** The answer to what is edited, a moment after the last change; SQL is asked when it is run. */
export function usePreview(node: QueryNode) {
  const [settled] = useDebouncedValue(node, WAIT_MS)
  const [ranText, setRanText] = useState<string>()
  const text = node.source.kind === 'HogQLQuery' ? node.source.query : undefined
  if (text !== undefined && ranText === undefined) setRanText(text)
  const wanted = useMemo(
    () => (text === undefined ? settled : withText(node, ranText ?? text)),
    [node, settled, text, ranText],
  )

  const missing = findIncomplete(node)
  const [lastWhole, setLastWhole] = useState<QueryNode>()
  const isWhole = findIncomplete(wanted) === undefined
  if (isWhole && wanted !== lastWhole) setLastWhole(wanted)
  const asked = isWhole ? wanted : lastWhole
  const { data, error, isFetching, isPlaceholderData, refetch } = useQueryResult(asked)
  const [shown, setShown] = useState<ShownResult>()
  if (asked && data && !isPlaceholderData && (data !== shown?.answer || asked !== shown.node)) {
    setShown({ node: asked, answer: data })
  }
  return {
    shown,
    missing,
    error,
    isWaiting: isFetching,
    run: (asked: string) => {
      setRanText(asked)
      if (asked === ranText) void refetch()
    },
    refresh: () => void refetch(),
  }
}

/** How it is shown follows at once; what is asked does not. */
const withText = (node: QueryNode, query: string): QueryNode => ({
  ...node,
  source: { ...node.source, query } as QueryNode['source'],
})
