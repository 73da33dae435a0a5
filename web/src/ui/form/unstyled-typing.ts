import { EditorView } from '@codemirror/view'

/**
 * Replaces selected text in the state of the editor, because Chromium would keep the color of the replaced text in an
 * inline style, which the content policy forbids.
 */
export const unstyledTyping = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { state } = view
    const { from, to, empty } = state.selection.main
    const { data } = event
    if (event.inputType !== 'insertText' || data === null || empty || event.isComposing)
      return false
    const insert = () =>
      state.update(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
    const handlers = state.facet(EditorView.inputHandler)
    const isHandled = handlers.some((handle) => handle(view, from, to, data, insert))
    if (!isHandled) view.dispatch(insert())
    event.preventDefault()
    return true
  },
})
