import { Text, TextInput, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import classes from './editable-text.module.css'
import { useSelected } from './use-selected.ts'

interface EditableTextProps {
  readonly value: string
  /** What it is: "Name of the dashboard". */
  readonly label: string
  /** Shown when there is no text. */
  readonly placeholder: string
  readonly maxLength?: number
  readonly onSave: (value: string) => void
  /** Starts as a field, for whoever chose to rename from a menu. */
  readonly startsOpen?: boolean
  readonly onClose?: () => void
  readonly size?: 'xs' | 'sm' | 'md'
}

/** A text that becomes a field when it is clicked. Enter and leaving save, Escape does not. */
export function EditableText(props: EditableTextProps) {
  const { value, placeholder, startsOpen = false } = props
  const [isOpen, setOpen] = useState(startsOpen)
  if (isOpen) return <Field {...props} close={() => setOpen(false)} />
  return (
    <UnstyledButton className={classes.text} onClick={() => setOpen(true)}>
      {value || (
        <Text component="span" inherit c="dimmed">
          {placeholder}
        </Text>
      )}
    </UnstyledButton>
  )
}

function Field({
  value,
  label,
  placeholder,
  maxLength = 400,
  size = 'sm',
  onSave,
  onClose,
  close,
}: EditableTextProps & { readonly close: () => void }) {
  const [draft, setDraft] = useState(value)
  const field = useSelected<HTMLInputElement>()
  const end = (text: string): void => {
    if (text.trim() !== value) onSave(text.trim())
    close()
    onClose?.()
  }
  return (
    <TextInput
      ref={field}
      size={size}
      aria-label={label}
      placeholder={placeholder}
      maxLength={maxLength}
      value={draft}
      onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      onBlur={() => end(draft)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') end(draft)
        if (event.key === 'Escape') end(value)
        event.stopPropagation()
      }}
    />
  )
}
