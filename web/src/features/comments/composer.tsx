import { Button, Combobox, Group, Stack, Textarea, useCombobox } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { useMentionables } from './api.ts'
import {
  findMentionQuery,
  listMentioned,
  type Mentionable,
  matchMentionables,
} from './mention-text.ts'

const MAX_CONTENT = 10_000
const MAX_OPTIONS = 6

/** A comment as it is sent. */
export interface Written {
  readonly content: string
  readonly mentions: number[]
}

interface ComposerProps {
  readonly label: string
  readonly yes: string
  readonly initial?: string
  readonly isSaving: boolean
  readonly error?: string | undefined
  /** Calls `done` when the comment is saved, which empties the form. */
  readonly onSave: (written: Written, done: () => void) => void
  readonly onCancel?: () => void
  readonly hasFocus?: boolean
}

/** Writes a comment. An @ offers the members of the project. */
export function Composer({
  label,
  yes,
  initial = '',
  isSaving,
  error,
  onSave,
  onCancel,
  hasFocus,
}: ComposerProps) {
  const people = useMentionables()
  const [content, setContent] = useState(initial)
  const { field, combobox, options, update, choose } = useMentions(people, setContent)
  const save = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (content.trim() === '' || isSaving) return
    const written = { content, mentions: listMentioned(content, people) }
    onSave(written, () => setContent(''))
  }
  return (
    <form onSubmit={save}>
      <Stack gap="xs">
        <Combobox
          store={combobox}
          position="bottom-start"
          onOptionSubmit={(id) => choose(content, Number(id))}
        >
          <Combobox.Target withKeyboardNavigation={combobox.dropdownOpened}>
            <Textarea
              ref={field}
              autosize
              minRows={2}
              maxRows={10}
              maxLength={MAX_CONTENT}
              aria-label={label}
              placeholder={`${label}. @ mentions someone.`}
              value={content}
              error={error}
              {...(hasFocus && { 'data-autofocus': true, autoFocus: true })}
              onChange={({ currentTarget }) => {
                setContent(currentTarget.value)
                update(currentTarget)
              }}
              onClick={({ currentTarget }) => update(currentTarget)}
              onBlur={() => combobox.closeDropdown()}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save(event)
                if (event.key !== 'Escape' || !combobox.dropdownOpened) return
                event.stopPropagation() // closes the list, not the drawer
                combobox.closeDropdown()
              }}
            />
          </Combobox.Target>
          <Combobox.Dropdown hidden={options.length === 0}>
            <Combobox.Options aria-label="Members">
              {options.map(({ id, name }) => (
                <Combobox.Option key={id} value={`${id}`}>
                  {name}
                </Combobox.Option>
              ))}
            </Combobox.Options>
          </Combobox.Dropdown>
        </Combobox>
        <Group gap="xs" justify="flex-end">
          {onCancel && (
            <Button size="xs" variant="subtle" color="gray" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" size="xs" loading={isSaving} disabled={content.trim() === ''}>
            {yes}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Offers members while a name is typed after an @. */
function useMentions(people: readonly Mentionable[], setContent: (content: string) => void) {
  const field = useRef<HTMLTextAreaElement>(null)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const [words, setWords] = useState<string>()
  const options = words === undefined ? [] : matchMentionables(people, words).slice(0, MAX_OPTIONS)

  function update({ value, selectionStart }: HTMLTextAreaElement): void {
    const query = findMentionQuery(value, selectionStart)
    setWords(query?.words)
    if (!query || matchMentionables(people, query.words).length === 0) {
      combobox.closeDropdown()
      return
    }
    combobox.openDropdown()
    combobox.updateSelectedOptionIndex()
    setTimeout(() => combobox.selectFirstOption()) // once the options are there
  }

  function choose(content: string, id: number): void {
    const { current } = field
    const person = people.find((each) => each.id === id)
    const caret = current?.selectionStart ?? content.length
    const query = findMentionQuery(content, caret)
    if (!person || !query) return
    const before = `${content.slice(0, query.from)}@${person.name} `
    setContent(before + content.slice(caret))
    combobox.closeDropdown()
    setTimeout(() => current?.setSelectionRange(before.length, before.length))
  }

  return { field, combobox, options, update, choose }
}
