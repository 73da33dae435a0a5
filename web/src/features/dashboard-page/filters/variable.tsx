import { TextInput } from '@mantine/core'
import { useState } from 'react'

interface VariableProps {
  readonly name: string
  readonly value: string
  readonly onSave: (text: string) => void
}

export function Variable({ name, value, onSave }: VariableProps) {
  const [draft, setDraft] = useState(value)
  const save = () => {
    if (draft !== value) onSave(draft)
  }
  return (
    <TextInput
      size="xs"
      w={180}
      aria-label={`Variable ${name}`}
      leftSection={name}
      leftSectionWidth={name.length * 7 + 20}
      value={draft}
      onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      onBlur={save}
      onKeyDown={({ key }) => {
        if (key === 'Enter') save()
      }}
    />
  )
}
