import { Badge, Group, MultiSelect, TagsInput } from '@mantine/core'
import { IconTag } from '@tabler/icons-react'
import { useState } from 'react'
import { FormDialog, type FormDialogProps } from '../form/form-dialog.tsx'
import classes from './list.module.css'

/** A tag in use, as the API lists it. */
interface Tag {
  readonly name: string
  readonly count: number
}

interface TagListProps {
  readonly tags: readonly string[]
  readonly onPick: (tag: string) => void
}

const SHOWN = 4

export function TagList({ tags, onPick }: TagListProps) {
  return (
    <>
      {tags.slice(0, SHOWN).map((tag) => (
        <button
          key={tag}
          type="button"
          className={classes.chip}
          aria-label={`Filter by tag ${tag}`}
          onClick={() => onPick(tag)}
        >
          {tag}
        </button>
      ))}
      {tags.length > SHOWN && (
        <span className={classes.chip} title={tags.slice(SHOWN).join(', ')}>
          +{tags.length - SHOWN}
        </span>
      )}
    </>
  )
}

interface TagFilterProps {
  readonly known: readonly Tag[]
  readonly value: readonly string[]
  readonly onChange: (tags: readonly string[]) => void
}

export function TagFilter({ known, value, onChange }: TagFilterProps) {
  const counts = new Map(known.map(({ name, count }) => [name, count]))
  const names = [...new Set([...value, ...counts.keys()])]
  return (
    <MultiSelect
      aria-label="Tags"
      placeholder={value.length > 0 ? undefined : 'Tags'}
      leftSection={<IconTag size={16} aria-hidden />}
      data={names}
      value={[...value]}
      onChange={onChange}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear tags' }}
      nothingFoundMessage={known.length > 0 ? 'No matching tags' : 'No tags yet'}
      limit={100}
      renderOption={({ option }) => (
        <Group justify="space-between" flex={1} wrap="nowrap">
          <span>{option.value}</span>
          <span className="tabular">{counts.get(option.value) ?? 0}</span>
        </Group>
      )}
    />
  )
}

interface TagsDialogProps extends Omit<FormDialogProps, 'onSubmit' | 'children'> {
  readonly known: readonly Tag[]
  readonly initial: readonly string[]
  readonly onSave: (tags: readonly string[]) => void
}

/** Maximum number of suggested tags. */
const SUGGESTED = 8

export function TagsDialog({ known, initial, onSave, ...dialog }: TagsDialogProps) {
  const [tags, setTags] = useState([...initial])
  const [text, setText] = useState('')
  const others = known.map(({ name }) => name).filter((name) => !tags.includes(name))
  return (
    <FormDialog {...dialog} onSubmit={() => onSave(tags)}>
      <TagsInput
        label="Tags"
        description="Press Enter or comma to add a tag."
        data={others}
        searchValue={text}
        onSearchChange={setText}
        dropdownOpened={text !== '' && others.some((name) => name.includes(text))}
        value={tags}
        onChange={setTags}
        maxLength={255}
        splitChars={[',']}
        acceptValueOnBlur
        data-autofocus
      />
      <Group gap={4}>
        {others.slice(0, SUGGESTED).map((name) => (
          <Badge
            key={name}
            component="button"
            type="button"
            color="gray"
            className={classes.tag}
            aria-label={`Add tag ${name}`}
            onClick={() => setTags([...tags, name])}
          >
            + {name}
          </Badge>
        ))}
      </Group>
    </FormDialog>
  )
}
