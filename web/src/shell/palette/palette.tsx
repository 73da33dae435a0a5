import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useActions } from './actions.tsx'
import { rankByName } from './rank.ts'
import { useResults } from './results.tsx'

const [store, spotlight] = createSpotlight()

const LABEL = 'Search pages, data and actions'

/** Runs actions and finds pages, settings, dashboards, insights, apps, alerts, persons and members. */
export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  useEffect(spotlight.open, [])
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const found = useResults(search)
  const actions = useActions()
  return (
    <Spotlight
      actions={rankByName(
        [...actions.filter(({ label }) => includes(label, text)), ...found],
        text,
      )}
      query={text}
      onQueryChange={setText}
      filter={(_, all) => all}
      nothingFound="No results"
      store={store}
      shortcut={null}
      onSpotlightClose={onClose}
      scrollable
      maxHeight={420}
      yOffset="12vh"
      attributes={{ content: { 'aria-label': 'Command palette' } }}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: LABEL,
        'aria-label': LABEL,
      }}
    />
  )
}

const includes = (label: SpotlightActionData['label'] = '', text: string): boolean =>
  label.toLowerCase().includes(text.trim().toLowerCase())
