import { Input } from '@mantine/core'
import { useState } from 'react'
import type { EditableTextProps } from './editable-text.tsx'
import { useSelectOnMount } from './use-select-on-mount.ts'

export function EditableField({
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
  const field = useSelectOnMount<HTMLInputElement>()
  const end = (text: string): void => {
    if (text.trim() !== value) onSave(text.trim())
    close()
    onClose?.()
  }
  return (
    <Input
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
