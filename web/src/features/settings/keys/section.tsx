import { Button, Modal, Stack } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { PersonalApiKey } from '#server/features/people/api-keys/schema.ts'
import { Empty, Loading, Shown } from '../../../ui/states.tsx'
import { Part, Parts, Rows } from '../shared/section.tsx'
import { useKeys } from './api.ts'
import { KeyForm } from './form.tsx'
import { KeyRow } from './key-row.tsx'
import { MadeKey } from './made-key.tsx'

/** What the dialogue shows: a form for a new key or for one that is there, or a value, once. */
type Shows = 'new' | { readonly key: PersonalApiKey } | { readonly made: PersonalApiKey }

export function KeysSection() {
  const keys = useKeys()
  const [shows, setShows] = useState<Shows>()
  const close = () => setShows(undefined)
  const newKey = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setShows('new')}>
      New API key
    </Button>
  )
  return (
    <Parts>
      <Part
        title="Your API keys"
        about="For scripts and other programs. A key acts as you, but only as far as you let it."
        isFlush
        actions={newKey}
      >
        <Shown
          of={keys}
          waiting={
            <Stack p="md">
              <Loading lines={4} />
            </Stack>
          }
        >
          {(list) =>
            list.length === 0 ? (
              <Empty icon={IconKey} title="No API keys yet" action={newKey}>
                Make one to read or change your data from a script.
              </Empty>
            ) : (
              <Rows>
                {list.map((key) => (
                  <KeyRow
                    key={key.id}
                    apiKey={key}
                    onEdit={() => setShows({ key })}
                    onRolled={(made) => setShows({ made })}
                  />
                ))}
              </Rows>
            )
          }
        </Shown>
      </Part>
      <Modal opened={shows !== undefined} onClose={close} title={titleOf(shows)} size="lg">
        {shows === 'new' && <KeyForm onDone={(made) => setShows({ made })} />}
        {shows !== undefined && shows !== 'new' && 'key' in shows && (
          <KeyForm apiKey={shows.key} onDone={close} />
        )}
        {shows !== undefined && shows !== 'new' && 'made' in shows && (
          <MadeKey apiKey={shows.made} onClose={close} />
        )}
      </Modal>
    </Parts>
  )
}

function titleOf(shows: Shows | undefined): string {
  if (shows === undefined || shows === 'new') return 'New API key'
  return 'key' in shows ? `Change ${shows.key.label}` : `${shows.made.label} is ready`
}
