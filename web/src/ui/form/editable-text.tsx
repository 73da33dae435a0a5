import { Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { EditableField } from './editable-field.tsx'
import classes from './editable-text.module.css'

export interface EditableTextProps {
  readonly value: string
  /** Accessible name: "Dashboard name". */
  readonly label: string
  /** Shown when the text is empty. */
  readonly placeholder: string
  readonly maxLength?: number
  readonly onSave: (value: string) => void
  /** Starts in edit mode, for "Rename" in a menu. */
  readonly startsOpen?: boolean
  readonly onClose?: () => void
  readonly size?: 'xs' | 'sm' | 'md'
}

/** A text that turns into a field on click. Enter and blur save, Escape cancels. */
export function EditableText(props: EditableTextProps) {
  const { value, placeholder, startsOpen = false } = props
  const [isOpen, setOpen] = useState(startsOpen)
  if (isOpen) return <EditableField {...props} close={() => setOpen(false)} />
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
