import { CloseButton, Kbd, TextInput } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

interface SearchBoxProps {
  readonly label: string
  /** What is searched for now, as the address says. */
  readonly value: string | undefined
  readonly onSearch: (text: string | undefined) => void
}

/** Short enough to feel immediate, long enough that a word is one question. */
const PAUSE_MS = 200

/** Searches while somebody types; `/` leads here. */
export function SearchBox({ label, value = '', onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const asked = useRef(value)
  const input = useRef<HTMLInputElement>(null)
  const ask = useDebouncedCallback((next: string) => {
    asked.current = next
    onSearch(next || undefined)
  }, PAUSE_MS)
  useEffect(() => {
    // the address changed by other means than typing here
    if (value === asked.current) return
    asked.current = value
    setText(value)
  }, [value])
  useHotkeys([['/', () => input.current?.focus()]])
  const change = (next: string) => {
    setText(next)
    ask(next.trim())
  }
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      maxLength={200}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && input.current?.blur()}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text ? (
          <CloseButton size="sm" aria-label="Clear the search" onClick={() => change('')} />
        ) : (
          <Kbd size="xs" visibleFrom="sm" aria-hidden>
            /
          </Kbd>
        )
      }
    />
  )
}
