import { Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import classes from './editable-text.module.css'
import { lazily } from './lazily.tsx'

const EditableField = lazily(async () => (await import('./editable-field.tsx')).EditableField)

export interface EditableTextProps {
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
