import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { basicSetup } from 'codemirror'
import { useEffect, useEffectEvent, useRef } from 'react'
import { unstyledTyping } from '../../../ui/form/unstyled-typing.ts'
import { readNonce } from '../../../ui/page/nonce.ts'
import { script } from './script-language.ts'
import classes from './source.module.css'
import type { SourcePosition } from './source-position.ts'

interface CodeEditorProps {
  /** File name, also the accessible name. */
  readonly label: string
  /** Initial text; the editor owns it afterwards. */
  readonly text: string
  /** Position of the compile error. */
  readonly position: SourcePosition | undefined
  readonly onChange: (text: string) => void
}

export default function CodeEditor({ label, text, position, onChange }: CodeEditorProps) {
  const box = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView>(null)
  const notifyChange = useEffectEvent((changed: string) => onChange(changed))
  const create = useEffectEvent((parent: HTMLElement) =>
    createEditor(parent, label, text, notifyChange),
  )

  useEffect(() => {
    if (!box.current) return
    const view = create(box.current)
    editor.current = view
    return () => view.destroy()
  }, [])

  useEffect(() => {
    const view = editor.current
    if (view) markError(view, position)
  }, [position])

  return <div ref={box} className={classes.editor} />
}

function createEditor(
  parent: HTMLElement,
  label: string,
  text: string,
  notifyChange: (text: string) => void,
): EditorView {
  return new EditorView({
    parent,
    doc: text,
    extensions: [
      basicSetup,
      StreamLanguage.define(script),
      syntaxHighlighting(COLORS),
      THEME,
      markedLine,
      EditorView.cspNonce.of(readNonce()),
      unstyledTyping,
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) notifyChange(state.doc.toString())
      }),
    ],
  })
}

/** Offset of the start of the line with the error. */
const setMark = StateEffect.define<number | undefined>()

const markedLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { changes, effects }) => {
    const mark = effects.findLast((effect) => effect.is(setMark))
    if (!mark) return marks.map(changes)
    if (mark.value === undefined) return Decoration.none
    const line = Decoration.line({ class: 'cm-error-line', attributes: { 'aria-invalid': 'true' } })
    return Decoration.set([line.range(mark.value)])
  },
  provide: (field) => EditorView.decorations.from(field),
})

function markError(view: EditorView, position: SourcePosition | undefined): void {
  const { doc } = view.state
  if (!position || position.line > doc.lines) {
    view.dispatch({ effects: setMark.of(undefined) })
    return
  }
  const line = doc.line(position.line)
  const at = Math.min(line.from + position.column, line.to)
  view.dispatch({
    selection: { anchor: at },
    effects: [setMark.of(line.from), EditorView.scrollIntoView(at, { y: 'center' })],
  })
  view.focus()
}

const THEME = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'var(--hg-surface)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--hg-surface)',
    color: 'var(--mantine-color-dimmed)',
    borderRight: '1px solid var(--hg-hairline)',
  },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--mantine-color-text) 4%, transparent)',
  },
  '.cm-line.cm-error-line': {
    backgroundColor: 'color-mix(in srgb, var(--mantine-color-red-6) 18%, transparent)',
    boxShadow: 'inset 3px 0 var(--mantine-color-red-6)',
  },
})

const COLORS = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)' },
  { tag: tags.string, color: 'var(--code-text)' },
  { tag: [tags.number, tags.atom], color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--code-comment)' },
  { tag: tags.typeName, color: 'var(--code-type)' },
])
