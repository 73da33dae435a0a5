import { Button, FileButton, JsonInput, Modal, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { Form } from '../../ui/form/form-dialog.tsx'
import classes from '../../ui/list/list.module.css'

interface JsonDialogProps<Made> {
  readonly title: string
  readonly yes: string
  readonly create: {
    readonly mutate: (sent: object, options: { onSuccess: (made: Made) => void }) => void
    readonly isPending: boolean
    readonly error: Error | null
  }
  readonly onMade: (made: Made) => void
  readonly onClose: () => void
}

/** Takes pasted text, a chosen file or a dropped file. The server validates it. */
export function JsonDialog<Made>({ title, yes, create, onMade, onClose }: JsonDialogProps<Made>) {
  const [text, setText] = useState('')
  const [isOver, setOver] = useState(false)
  const sent = toObject(text)
  const read = (file: File | null | undefined) => void file?.text().then(setText)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    read(event.dataTransfer.files[0])
  }
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      <Form
        yes={yes}
        yesProps={{ disabled: !sent }}
        saving={create}
        onSubmit={() => sent && create.mutate(sent, { onSuccess: onMade })}
        onCancel={onClose}
        extra={
          <FileButton accept="application/json,.json" onChange={read}>
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconUpload size={16} />}>
                Choose file
              </Button>
            )}
          </FileButton>
        }
      >
        <JsonInput
          classNames={{ input: classes.drop }}
          data-over={isOver || undefined}
          onDrop={drop}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          label="Template as JSON"
          description="Paste JSON or drop a file here."
          placeholder={EXAMPLE}
          value={text}
          onChange={setText}
          error={text.trim() !== '' && !sent && 'Not a JSON object.'}
          autosize
          minRows={10}
          maxRows={20}
          spellCheck={false}
          data-autofocus
        />
      </Form>
      <Text size="xs" c="dimmed" mt="md">
        Download any template from the gallery to see the format.
      </Text>
    </Modal>
  )
}

const EXAMPLE = '{ "template_name": "Weekly metrics", "tiles": [ … ] }'

function toObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
