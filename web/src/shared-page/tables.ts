/** Fetches the page again and replaces its data tables and the refresh time. */
export async function refreshTables(): Promise<void> {
  const response = await fetch(location.href).catch(() => undefined)
  if (!response?.ok) return
  const newer = new DOMParser().parseFromString(await response.text(), 'text/html')
  replaceText('#when', newer)
  for (const section of newer.querySelectorAll('section.tile')) {
    const table = section.querySelector('details')
    const tile = document.getElementById(section.id)
    if (!table || !tile) continue
    const shown = tile.querySelector('details')
    if (shown) shown.replaceChildren(...table.childNodes)
    else tile.append(table)
  }
}

function replaceText(selector: string, newer: Document): void {
  const nodes = newer.querySelector(selector)?.childNodes ?? []
  document.querySelector(selector)?.replaceChildren(...nodes)
}
