import { NavLink, TextInput } from '@mantine/core'
import { IconFileCode } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import classes from './source.module.css'

interface FileListProps {
  readonly names: readonly string[]
  /** Name of the open file. */
  readonly open: string
  readonly onOpen: (name: string) => void
  readonly onAdd: (name: string) => void
}

/** The files of an app, one of which is open, and a field for the name of a new one. */
export const FileList = ({ names, open, onOpen, onAdd }: FileListProps) => (
  <>
    <nav aria-label="Files">
      {names.map((name) => (
        <NavLink
          key={name}
          className={classes.file}
          component="button"
          label={name}
          active={name === open}
          aria-current={name === open ? 'true' : undefined}
          leftSection={<IconFileCode size={16} />}
          onClick={() => onOpen(name)}
        />
      ))}
    </nav>
    <NewFile onAdd={onAdd} />
  </>
)

function NewFile({ onAdd }: { readonly onAdd: (name: string) => void }) {
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return
    onAdd(name.trim())
    setName('')
  }
  return (
    <form onSubmit={submit}>
      <TextInput
        size="xs"
        mt="xs"
        aria-label="New file"
        placeholder="New file name"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </form>
  )
}
