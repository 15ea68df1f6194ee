// The code editor of an exercise: CodeMirror 6, put together once and bundled into static/vendor/codemirror/editor.js.
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

// A browser that replaces a selection by itself leaves elements with style attributes behind. The page's policy refuses
// those and reports each as an error, so typing over a selection is done here. Composing is left to the browser.
function typeOverSelection(event, view) {
  if (event.inputType !== "insertText" || !event.data || event.isComposing || view.composing) return false;
  const selected = document.getSelection(); // the editor may not have heard of it yet
  if (!selected.rangeCount || selected.isCollapsed || !view.contentDOM.contains(selected.anchorNode)) return false;
  const range = selected.getRangeAt(0);
  const from = view.posAtDOM(range.startContainer, range.startOffset);
  const to = view.posAtDOM(range.endContainer, range.endOffset);
  const insert = event.data.replace(/\r\n?/g, "\n");
  const replacement = () =>
    view.state.update({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent: "input.type",
      scrollIntoView: true,
    });
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some((handler) => handler(view, from, to, insert, replacement))) view.dispatch(replacement());
  return true;
}

/**
 * Puts an editor into `parent`. Tab indents; Escape and then Tab leaves (CodeMirror's own behaviour).
 * `onSubmit` is called on Ctrl+Enter or Cmd+Enter, but never while an input method composes a character.
 * `nonce` is the page's, for the style sheet that CodeMirror makes; colours come from the site's own classes.
 * Returns {text(), replace(text), focus()}; `replace` can be undone by the learner.
 */
export function createEditor({ parent, text, label, describedBy, nonce, onChange, onSubmit }) {
  const submit = (view) => {
    if (view.composing) return false;
    onSubmit();
    return true;
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(nonce),
        Prec.highest(keymap.of([{ key: "Mod-Enter", run: submit, preventDefault: true }])),
        lineNumbers(),
        highlightActiveLineGutter(),
        highlightActiveLine(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of("    "),
        EditorState.tabSize.of(4),
        bracketMatching(),
        closeBrackets(),
        syntaxHighlighting(classHighlighter),
        python(),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.domEventHandlers({ beforeinput: typeOverSelection }),
        EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": describedBy, dir: "ltr", tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    replace: (value) =>
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: value },
        annotations: isolateHistory.of("full"),
      }),
    focus: () => view.focus(),
  };
}
