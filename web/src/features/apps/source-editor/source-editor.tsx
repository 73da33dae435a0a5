import { Alert, Anchor, Button, Group, NavLink, Skeleton, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconFileCode, IconTrash } from '@tabler/icons-react'
import { type FormEvent, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useUnsavedGuard } from '../../../ui/form/unsaved-guard.ts'
import { Card } from '../../../ui/page/card.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { ChosenFiles } from '../gallery/app-files.ts'
import classes from './source.module.css'
import { parsePosition } from './source-position.ts'

const CodeEditor = lazy(() => import('./code-editor.tsx'))

interface SourceEditorProps {
  readonly title: string
  readonly about: ReactNode
  /** Stored or initial files. */
  readonly files: ChosenFiles
  readonly verb: string
  readonly error: Error | null
  readonly isSaving: boolean
  readonly isSaved?: boolean
  readonly onSave: (files: ChosenFiles) => void
}

export function SourceEditor(props: SourceEditorProps) {
  const { title, about, files: stored, verb, error, isSaving, isSaved = false, onSave } = props
  const [files, setFiles] = useState(stored)
  const [open, setOpen] = useState(() => pickFirst(stored))
  const [sent, setSent] = useState(stored)
  useUnsavedGuard(files !== sent || error !== null)
  const position = error ? parsePosition(error.message) : undefined
  const text = files[open]
  useEffect(() => {
    const position = error && parsePosition(error.message)
    if (position) setOpen(position.file)
  }, [error])

  const save = () => {
    setSent(files)
    onSave(files)
  }
  const remove = (name: string) => {
    const { [name]: _removed, ...rest } = files
    setFiles(rest)
    setOpen(pickFirst(rest))
  }
  return (
    <Page
      title={title}
      about={about}
      width="full"
      actions={
        <>
          {isSaved && !error && files === sent && (
            <Text size="sm" c="dimmed" role="status">
              Saved
            </Text>
          )}
          <Button loading={isSaving} onClick={save}>
            {verb}
          </Button>
        </>
      }
    >
      {error && (
        <Alert
          color="red"
          role="alert"
          mb="md"
          icon={<IconAlertTriangle size={18} />}
          title={position ? `${position.file}, line ${position.line}` : 'Something went wrong'}
        >
          <Text size="sm" className={classes.problem}>
            {error.message}
          </Text>
          {position && open !== position.file && (
            <Anchor component="button" size="sm" onClick={() => setOpen(position.file)}>
              Show error
            </Anchor>
          )}
        </Alert>
      )}
      <div className={classes.workbench}>
        <Card p="xs">
          <nav aria-label="Files">
            {Object.keys(files).map((name) => (
              <NavLink
                key={name}
                className={classes.file}
                component="button"
                label={name}
                active={name === open}
                aria-current={name === open ? 'true' : undefined}
                leftSection={<IconFileCode size={16} />}
                onClick={() => setOpen(name)}
              />
            ))}
          </nav>
          <NewFile
            onAdd={(name) => {
              setFiles({ ...files, [name]: files[name] ?? '' })
              setOpen(name)
            }}
          />
        </Card>
        <Card p={0}>
          <Group justify="space-between" className={classes.bar}>
            <Text size="sm" fw={600}>
              {open || 'No file selected'}
            </Text>
            {text !== undefined && (
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                leftSection={<IconTrash size={14} />}
                onClick={() => remove(open)}
              >
                Remove file
              </Button>
            )}
          </Group>
          {text !== undefined && (
            <Suspense fallback={<Skeleton h={480} />}>
              <CodeEditor
                key={open}
                label={open}
                text={text}
                position={position?.file === open ? position : undefined}
                onChange={(next) => setFiles((current) => ({ ...current, [open]: next }))}
              />
            </Suspense>
          )}
        </Card>
      </div>
    </Page>
  )
}

const pickFirst = (files: ChosenFiles): string =>
  ['index.ts', 'index.js'].find((name) => name in files) ?? Object.keys(files)[0] ?? ''

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
