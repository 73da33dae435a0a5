import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

/** Short enough to feel immediate, long enough to send one query per word. */
const PAUSE_MS = 200

interface DebouncedText {
  readonly text: string
  readonly change: (text: string) => void
  /** Ends the pause when the field is left: a change of the URL would undo a click on a link that is still loading. */
  readonly flush: () => void
}

/** Field state that calls `onPause` when typing pauses. */
export function useDebouncedText(
  value: string | undefined,
  onPause: (text: string | undefined) => void,
): DebouncedText {
  const [text, setText] = useState(value ?? '')
  const submitted = useRef(value)
  const submit = useDebouncedCallback((next: string | undefined) => {
    submitted.current = next
    onPause(next)
  }, PAUSE_MS)
  useEffect(() => {
    // the URL was changed by something other than typing
    if (value === submitted.current) return
    submitted.current = value
    setText(value ?? '')
  }, [value])
  const change = (next: string) => {
    setText(next)
    submit(next.trim() || undefined)
  }
  return { text, change, flush: submit.flush }
}
