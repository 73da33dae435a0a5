import { Button, Modal } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { PersonalApiKey } from '#server/features/accounts/api-keys/schema.ts'
import { Panel, PanelRows, PanelStack } from '../../../ui/page/panel.tsx'
import { EmptyState, Loading, QueryContent } from '../../../ui/page/states.tsx'
import { useKeys } from './api.ts'
import { CreatedKey } from './created-key.tsx'
import { KeyForm } from './form.tsx'
import { KeyRow } from './key-row.tsx'

/** Dialog content: a form for a new or an existing key, or a key's value shown once. */
type DialogContent = 'new' | { readonly key: PersonalApiKey } | { readonly created: PersonalApiKey }

export function KeysSection() {
  const keys = useKeys()
  const [content, setContent] = useState<DialogContent>()
  const close = () => setContent(undefined)
  const createButton = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setContent('new')}>
      Create API key
    </Button>
  )
  return (
    <PanelStack>
      <Panel
        title="Your API keys"
        about="For scripts and integrations. A key acts as you, limited to its permissions."
        isFlush
        actions={createButton}
      >
        <QueryContent query={keys} loading={<Loading lines={4} p="md" />}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState icon={IconKey} title="No API keys yet" action={createButton}>
                Create a key to access your data from a script.
              </EmptyState>
            ) : (
              <PanelRows>
                {list.map((key) => (
                  <KeyRow
                    key={key.id}
                    apiKey={key}
                    onEdit={() => setContent({ key })}
                    onRolled={(created) => setContent({ created })}
                  />
                ))}
              </PanelRows>
            )
          }
        </QueryContent>
      </Panel>
      <Modal opened={content !== undefined} onClose={close} title={titleOf(content)} size="lg">
        {content === 'new' && <KeyForm onDone={(created) => setContent({ created })} />}
        {content !== undefined && content !== 'new' && 'key' in content && (
          <KeyForm apiKey={content.key} onDone={close} />
        )}
        {content !== undefined && content !== 'new' && 'created' in content && (
          <CreatedKey apiKey={content.created} onClose={close} />
        )}
      </Modal>
    </PanelStack>
  )
}

function titleOf(content: DialogContent | undefined): string {
  if (content === undefined || content === 'new') return 'Create API key'
  return 'key' in content ? `Edit ${content.key.label}` : `${content.created.label} created`
}
