import { Button, Group, TagsInput } from '@mantine/core'
import { useState } from 'react'
import { useSelectOnMount } from '../../../ui/form/use-select-on-mount.ts'
import { useDashboardContext } from '../context.ts'

export function TagsForm({
  tags,
  onEnd,
}: {
  readonly tags: readonly string[]
  readonly onEnd: () => void
}) {
  const { editor } = useDashboardContext()
  const [draft, setDraft] = useState([...tags])
  const field = useSelectOnMount<HTMLInputElement>()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (draft.join('\n') !== tags.join('\n')) {
          editor.edit('Changed the tags', { fields: { tags: draft } })
        }
        onEnd()
      }}
    >
      <TagsInput
        ref={field}
        label="Tags"
        description="Press Enter to add a tag."
        value={draft}
        onChange={setDraft}
        maxTags={50}
        mb="sm"
      />
      <Group justify="flex-end">
        <Button size="xs" type="submit">
          Save
        </Button>
      </Group>
    </form>
  )
}
