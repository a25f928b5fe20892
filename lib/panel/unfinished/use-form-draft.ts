import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { useUnsavedInput } from '../shortcuts.ts';

/** The input that is not saved, by form. It stays while the person looks at other tabs and pages. */
const drafts = new Map<string, unknown>();

/**
 * Keeps what somebody has typed into a form of a page. It is there again when the form is shown again; before the browser leaves the panel
 * from here, it asks.
 *
 * @param form names the form and what it changes: `workspace <id>`. Another form needs another component, by its `key`
 * @returns the draft, `undefined` if there is none, and a function that replaces it or, with `undefined`, drops it
 */
export function useFormDraft<Draft>(
  form: string,
): readonly [draft: Draft | undefined, setDraft: (draft: Draft | undefined) => void] {
  const [draft, setShown] = useState(() => drafts.get(form) as Draft | undefined);
  const setDraft = (next: Draft | undefined) => {
    if (next === undefined) drafts.delete(form);
    else drafts.set(form, next);
    setShown(next);
  };
  useUnsavedInput(draft !== undefined);
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: draft !== undefined });
  return [draft, setDraft];
}
