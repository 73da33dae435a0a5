import { isSigned } from './frame.ts'

const sections = [...document.querySelectorAll<HTMLDetailsElement>('details[data-section]')]
const key = `hedgerow-sections-${location.pathname.replace(/^\/embedded\//, '/shared/')}`

type Choices = Record<string, 'open' | 'folded'>

/** Frames of other sites may have no storage. */
function readChoices(): Choices {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}')
  } catch {
    return {}
  }
}

function saveChoices(choices: Choices): void {
  if (isSigned()) return // under each token, of which there are many
  try {
    localStorage.setItem(key, JSON.stringify(choices))
  } catch {
    // the choices hold until the page is closed
  }
}

const toId = ({ dataset }: HTMLElement): string => dataset.section ?? ''

const toChoices = (): Choices =>
  Object.fromEntries(sections.map((each) => [toId(each), each.open ? 'open' : 'folded']))

/** Asks for the results of the sections that are open now, narrowed as in the address of the page. */
export function dataQuery(): string {
  const query = new URLSearchParams(location.search)
  if (sections.length > 0) query.set('sections_override', JSON.stringify(toChoices()))
  return query.size > 0 ? `?${query}` : ''
}

/** Opens what this viewer last had open, and calls back when a section opens. */
export function watchSections(onOpen: () => void): void {
  const before = readChoices()
  const isChosen = new URLSearchParams(location.search).has('sections_override')
  for (const section of sections) {
    const choice = before[toId(section)]
    if (choice && !isChosen) section.open = choice === 'open'
    section.addEventListener('toggle', () => {
      saveChoices(toChoices())
      if (section.open) onOpen()
    })
  }
}
