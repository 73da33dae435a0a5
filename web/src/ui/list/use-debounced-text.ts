import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

/** Short enough to feel immediate, long enough to send one query per word. */
const PAUSE_MS = 200

/** Field state that calls `onAsk` when typing pauses. */
export function useDebouncedText(
  value: string | undefined,
  onAsk: (text: string | undefined) => void,
): [string, (text: string) => void] {
  const [text, setText] = useState(value ?? '')
  const asked = useRef(value)
  const ask = useDebouncedCallback((next: string | undefined) => {
    asked.current = next
    onAsk(next)
  }, PAUSE_MS)
  useEffect(() => {
    // the URL changed other than by typing
    if (value === asked.current) return
    asked.current = value
    setText(value ?? '')
  }, [value])
  const change = (next: string) => {
    setText(next)
    ask(next.trim() || undefined)
  }
  return [text, change]
}
