import type { UserEvent } from '@testing-library/user-event'

/** Enters a text at once, because each typed character would render the whole form again. */
export async function fill(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.click(field)
  await user.paste(text)
}
