import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { basicSetup } from 'codemirror'
import { useEffect, useEffectEvent, useRef } from 'react'
import { readNonce } from '../../ui/nonce.ts'
import { script } from './script-language.ts'
import classes from './source.module.css'
import type { Place } from './source-problem.ts'

interface CodeEditorProps {
  /** The file's name, which is also what it is called aloud. */
  readonly label: string
  /** To begin with: later on the editor knows best. */
  readonly text: string
  /** Where something is wrong. */
  readonly place: Place | undefined
  readonly onChange: (text: string) => void
}

export default function CodeEditor({ label, text, place, onChange }: CodeEditorProps) {
  const box = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView>(null)
  const tell = useEffectEvent((changed: string) => onChange(changed))
  const begin = useEffectEvent((parent: HTMLElement) => createEditor(parent, label, text, tell))

  useEffect(() => {
    if (!box.current) return
    const view = begin(box.current)
    editor.current = view
    return () => view.destroy()
  }, [])

  useEffect(() => {
    const view = editor.current
    if (view) markPlace(view, place)
  }, [place])

  return <div ref={box} className={classes.editor} />
}

function createEditor(
  parent: HTMLElement,
  label: string,
  text: string,
  tell: (text: string) => void,
): EditorView {
  return new EditorView({
    parent,
    doc: text,
    extensions: [
      basicSetup,
      StreamLanguage.define(script),
      syntaxHighlighting(COLORS),
      LOOK,
      markedLine,
      EditorView.cspNonce.of(readNonce()),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) tell(state.doc.toString())
      }),
    ],
  })
}

/** The start of the line that something is wrong with. */
const setMark = StateEffect.define<number | undefined>()

const markedLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { changes, effects }) => {
    const mark = effects.findLast((effect) => effect.is(setMark))
    if (!mark) return marks.map(changes)
    if (mark.value === undefined) return Decoration.none
    const line = Decoration.line({ class: 'cm-wrong', attributes: { 'aria-invalid': 'true' } })
    return Decoration.set([line.range(mark.value)])
  },
  provide: (field) => EditorView.decorations.from(field),
})

function markPlace(view: EditorView, place: Place | undefined): void {
  const { doc } = view.state
  if (!place || place.line > doc.lines) {
    view.dispatch({ effects: setMark.of(undefined) })
    return
  }
  const line = doc.line(place.line)
  const at = Math.min(line.from + place.column, line.to)
  view.dispatch({
    selection: { anchor: at },
    effects: [setMark.of(line.from), EditorView.scrollIntoView(at, { y: 'center' })],
  })
  view.focus()
}

const LOOK = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'var(--hg-surface)' },
  '&.cm-focused': {
    outline: '2px solid var(--mantine-primary-color-filled)',
    outlineOffset: '-2px',
  },
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
  '.cm-line.cm-wrong': {
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
