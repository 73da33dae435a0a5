import { Text } from '@mantine/core'
import { useState } from 'react'
import { toShownName } from '#model/names/person-name.ts'
import { DangerDialog } from '../../../ui/dialog/danger-dialog.tsx'
import { notify } from '../../../ui/dialog/notify.ts'
import { Choice } from '../../../ui/form/choice.tsx'
import { type Person, useSplitPerson } from '../api.ts'

interface SplitDialogProps {
  readonly person: Person
  readonly onClose: () => void
}

export function SplitDialog({ person, onClose }: SplitDialogProps) {
  const ids = person.distinct_ids
  const [main, setMain] = useState(ids[0] ?? '')
  const split = useSplitPerson(person)
  const others = ids.length - 1
  const onSuccess = () => {
    notify({ message: `Split into ${ids.length} persons` })
    onClose()
  }
  return (
    <DangerDialog
      title={`Split ${toShownName(person)}?`}
      yes="Split person"
      running={split}
      onConfirm={() => split.mutate(main, { onSuccess })}
      onClose={onClose}
    >
      <Text size="sm">
        {others === 1
          ? 'The other distinct ID becomes a person of its own, with its events.'
          : `The other ${others} distinct IDs become persons of their own, each with its events.`}{' '}
        The properties stay with the ID that you keep. This cannot be undone.
      </Text>
      <Choice
        label="Distinct ID to keep"
        data={[...new Set(ids)]}
        value={main}
        onChange={setMain}
        searchable={ids.length > 10}
      />
    </DangerDialog>
  )
}
