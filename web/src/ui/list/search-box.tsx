import { CloseButton, Kbd, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRef } from 'react'
import { useDebouncedText } from './use-debounced-text.ts'

interface SearchBoxProps {
  readonly label: string
  /** The search text in the URL. */
  readonly value: string | undefined
  readonly onSearch: (text: string | undefined) => void
}

/** Searches while typing; `/` focuses it. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const { text, change, flush } = useDebouncedText(value, onSearch)
  const input = useRef<HTMLInputElement>(null)
  useHotkeys([['/', () => input.current?.focus()]])
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      maxLength={200}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={flush}
      onKeyDown={(event) => event.key === 'Escape' && input.current?.blur()}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text ? (
          <CloseButton size="sm" aria-label="Clear search" onClick={() => change('')} />
        ) : (
          <Kbd size="xs" visibleFrom="sm" aria-hidden>
            /
          </Kbd>
        )
      }
    />
  )
}
