import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

/** Short enough to feel immediate, long enough that a word is one question. */
const PAUSE_MS = 200

/** What stands in a field whose words are asked for when the typing stops, and how it is changed. */
export function useTyped(
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
    // the address changed by other means than typing here
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
