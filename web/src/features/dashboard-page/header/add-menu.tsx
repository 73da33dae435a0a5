import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import { LazyMenu } from '../../../ui/page/lazy-menu.tsx'
import { loadDialogs } from '../load-dialogs.ts'

const AddItems = lazyComponent(async () => (await loadDialogs()).AddItems)
const AddInsight = lazyComponent(async () => (await loadDialogs()).AddInsight)

/** Adds an insight, a text or a section to the dashboard. */
export function AddMenu({ label = 'Add tile' }: { readonly label?: string }) {
  const [isPicking, setPicking] = useState(false)
  return (
    <>
      <LazyMenu
        width={220}
        button={
          <Button size="xs" leftSection={<IconPlus size={16} />}>
            {label}
          </Button>
        }
      >
        {() => <AddItems onPick={() => setPicking(true)} />}
      </LazyMenu>
      {isPicking && <AddInsight onClose={() => setPicking(false)} />}
    </>
  )
}
