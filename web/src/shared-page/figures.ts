/** The tables and the time as the server writes them now, put in place of those that are shown. */
export async function refreshFigures(): Promise<void> {
  const response = await fetch(location.href).catch(() => undefined)
  if (!response?.ok) return
  const newer = new DOMParser().parseFromString(await response.text(), 'text/html')
  replaceText('#when', newer)
  for (const section of newer.querySelectorAll('section.tile')) {
    const figures = section.querySelector('details')
    const place = document.getElementById(section.id)
    if (!figures || !place) continue
    const known = place.querySelector('details')
    if (known) known.replaceChildren(...figures.childNodes)
    else place.append(figures)
  }
}

function replaceText(selector: string, newer: Document): void {
  const nodes = newer.querySelector(selector)?.childNodes ?? []
  document.querySelector(selector)?.replaceChildren(...nodes)
}
